package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Confirmation;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;

class EngineTest {
    private static final EngineSettings NO_SHADOW = new EngineSettings(0, 16);
    private static final EngineSettings ALL_SHADOW = new EngineSettings(1_000, 1_000);
    private static final AccessRequest SWAP =
            Asks.ask(Asks.me("operator"), "bundle.swap", "bundle:b", "");
    private static final AccessRequest STATUS =
            Asks.ask(Asks.me("viewer"), "system.status", "", "");

    private final Snapshot shipped = Sets.shipped();
    private final AtomicReference<Snapshot> current = new AtomicReference<>(shipped);
    private final List<EngineDivergence> alarms = Collections.synchronizedList(new ArrayList<>());
    private final List<AutoCloseable> open = new ArrayList<>();

    private Engine engine(Gate<Cedar> gate, EngineSettings settings) {
        return engine(gate, settings, 30_000);
    }

    private Engine engine(Gate<Cedar> gate, EngineSettings settings, long deadlineMillis) {
        NativeEngineCheck check = new NativeEngineCheck(gate, deadlineMillis);
        Engine engine =
                new Engine(
                        () -> Optional.ofNullable(current.get()),
                        () -> "Waiting for the first policy set: 7 ms so far.",
                        check,
                        settings,
                        alarms::add);
        open.add(engine);
        open.add(check);
        return engine;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "it did not happen within a minute");
            Thread.sleep(5);
        }
    }

    @Test
    void withoutASetThereIsNoDecision() {
        Engine engine = engine(Sets.gate(), NO_SHADOW);
        current.set(null);

        for (Runnable ask :
                List.<Runnable>of(
                        () -> engine.decide(STATUS),
                        () -> engine.decideTool(Asks.call(Asks.CLOCK, "operator")),
                        () -> engine.usableTools(Asks.call(Asks.CLOCK), Asks.tools()),
                        engine::current)) {
            PalyraException refusal = assertThrows(PalyraException.class, ask::run);
            assertEquals(ErrorCode.POLICY_UNAVAILABLE, refusal.code());
            assertEquals("Waiting for the first policy set: 7 ms so far.", refusal.getMessage());
        }
    }

    @Test
    void aSensitiveAllowIsConfirmedByTheNativeEngine() {
        Engine engine = engine(Sets.gate(), NO_SHADOW);

        PolicyDecision action = engine.decide(SWAP);
        PolicyDecision tool = engine.decideTool(Asks.approved(Asks.SHELL, "integrator"));

        assertEquals(Outcome.ALLOW, action.outcome());
        assertEquals(Confirmation.CONFIRMED, action.confirmation());
        assertEquals(Outcome.ALLOW, tool.outcome());
        assertEquals(Confirmation.CONFIRMED, tool.confirmation());
        assertEquals(2, engine.counts().confirmed());
    }

    @Test
    void whatIsNotSensitiveNeedsNoConfirmation() {
        Engine engine = engine(ScriptedCedar.saying(false).gate(), NO_SHADOW);

        assertEquals(Confirmation.NOT_NEEDED, engine.decide(STATUS).confirmation());
        assertEquals(
                Confirmation.NOT_NEEDED,
                engine.decideTool(Asks.call(Asks.SHELL, "integrator")).confirmation());
        assertEquals(
                Outcome.ALLOW_IF_APPROVED,
                engine.decideTool(Asks.call(Asks.SHELL, "integrator")).outcome());
        assertEquals(List.of(), alarms);
    }

    @Test
    void aSensitiveAllowThatTheNativeEngineDeniesIsDenied() {
        Engine engine = engine(ScriptedCedar.saying(false).gate(), NO_SHADOW);

        PolicyDecision answer = engine.decide(SWAP);

        assertEquals(Outcome.DENY, answer.outcome());
        assertEquals("policy.not_confirmed", answer.reasonCode());
        assertEquals(Confirmation.REFUSED, answer.confirmation());
        assertEquals(1, alarms.size());
        assertEquals(answer.evidenceJson(), alarms.get(0).evidenceJson());
        assertEquals(1, engine.counts().refused());
        assertEquals(alarms.get(0), engine.difference().orElseThrow());
    }

    @Test
    void anAllowForAnotherReasonStandsButRaisesTheAlarm() {
        Engine engine = engine(ScriptedCedar.saying(true, "default.cedar#2").gate(), NO_SHADOW);

        assertEquals(Confirmation.CONFIRMED, engine.decide(SWAP).confirmation());
        assertEquals(1, alarms.size());
        assertTrue(alarms.get(0).sentence().contains("operators"), alarms.get(0).sentence());
    }

    @Test
    void withoutTheNativeEngineTheAnswerSaysSo() {
        Engine engine = engine(Sets.emptyGate(), NO_SHADOW);

        PolicyDecision answer = engine.decide(SWAP);

        assertEquals(Outcome.ALLOW, answer.outcome());
        assertEquals(Confirmation.ABSENT, answer.confirmation());
        assertEquals(1, engine.counts().unconfirmed());
    }

    @Test
    void aNativeEngineThatFailsIsNoConfirmation() {
        ScriptedCedar failing =
                new ScriptedCedar(
                        request -> {
                            throw new CedarException(CedarException.Reason.FAILED, "It broke.");
                        });
        Engine engine = engine(failing.gate(), NO_SHADOW);

        PalyraException refusal = assertThrows(PalyraException.class, () -> engine.decide(SWAP));

        assertEquals(ErrorCode.POLICY_UNAVAILABLE, refusal.code());
        assertTrue(refusal.getMessage().contains("It broke."), refusal.getMessage());
        assertEquals(Outcome.ALLOW, engine.decide(STATUS).outcome());
    }

    @Test
    void aNativeEngineThatHangsIsNoConfirmation() {
        CountDownLatch never = new CountDownLatch(1);
        ScriptedCedar hanging =
                new ScriptedCedar(
                        request -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            throw new CedarException(CedarException.Reason.FAILED, "late");
                        });
        Engine engine = engine(hanging.gate(), NO_SHADOW, 50);

        assertEquals(
                ErrorCode.POLICY_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> engine.decide(SWAP)).code());
        never.countDown();
    }

    @Test
    void aDifferenceThatTheShadowFindsMakesTheNativeEngineDecide() throws Exception {
        // Denies what the compiled engine allows.
        ScriptedCedar script = ScriptedCedar.saying(false);
        Gate<Cedar> gate = script.gate();
        Engine engine = engine(gate, ALL_SHADOW);

        assertEquals(Outcome.ALLOW, engine.decide(STATUS).outcome());
        await(() -> !alarms.isEmpty());

        assertEquals("deny by default", alarms.get(0).nativeEngine());
        assertEquals("allow by members_read_general", alarms.get(0).compiled());
        assertEquals(Outcome.DENY, engine.decide(STATUS).outcome());
        assertEquals("policy.not_permitted", engine.decide(STATUS).reasonCode());
        engine.decideTool(Asks.call(Asks.CLOCK, "operator"));
        assertEquals(1, alarms.size(), "one alarm is enough");

        gate.remove(script);
        assertEquals(
                ErrorCode.POLICY_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> engine.decide(STATUS)).code());
        assertEquals(
                ErrorCode.POLICY_UNAVAILABLE,
                assertThrows(
                                PalyraException.class,
                                () -> engine.decideTool(Asks.call(Asks.CLOCK, "operator")))
                        .code());
        assertEquals(Set.of(), engine.usableTools(Asks.call(Asks.CLOCK, "operator"), Asks.tools()));

        engine.restore();
        assertEquals(Outcome.ALLOW, engine.decide(STATUS).outcome());
        assertTrue(engine.difference().isEmpty());
    }

    @Test
    void theNativeEngineDecidesByTheSameRules() {
        Engine engine = engine(Sets.gate(), NO_SHADOW);
        PolicyDecision waits = engine.decideTool(Asks.call(Asks.SHELL, "integrator"));
        PolicyDecision runs = engine.decideTool(Asks.approved(Asks.SHELL, "integrator"));
        PolicyDecision denied = engine.decideTool(Asks.call(Asks.SHELL, "viewer"));

        engine.withdraw(new EngineDivergence("{}", "0", "allow", "deny"));

        assertEquals(List.of(), alarms);
        assertEquals(waits, engine.decideTool(Asks.call(Asks.SHELL, "integrator")));
        assertEquals(runs, engine.decideTool(Asks.approved(Asks.SHELL, "integrator")));
        PolicyDecision natively = engine.decideTool(Asks.call(Asks.SHELL, "viewer"));
        assertEquals(denied.reasonCode(), natively.reasonCode());
        assertEquals(denied.policyIds(), natively.policyIds());
        assertEquals(Confirmation.CONFIRMED, engine.decide(SWAP).confirmation());
        assertEquals(
                "policy.unknown_action",
                engine.decide(Asks.ask(Asks.me("operator"), "run.explode", "", "")).reasonCode());
    }

    @Test
    void aForbidThatFailsDeniesNativelyToo() {
        current.set(
                Sets.shippedWith(
                        "@id(\"odd\") forbid (principal, action == Action::\"tool.execute\","
                                + " resource)\n"
                                + "when { context.budget.left * 9223372036854775807 > 3 };"));
        Engine engine = engine(Sets.gate(), NO_SHADOW);
        engine.withdraw(new EngineDivergence("{}", "0", "allow", "deny"));

        PolicyDecision answer = engine.decideTool(Asks.call(Asks.CLOCK, "operator"));

        assertEquals("policy.forbid_failed", answer.reasonCode());
        assertEquals(List.of("odd"), answer.policyIds());
    }

    @Test
    void aPolicyThatIsNotInTheSetIsAFailure() {
        Engine engine = engine(ScriptedCedar.saying(true, "stranger#1").gate(), NO_SHADOW);
        engine.withdraw(new EngineDivergence("{}", "0", "allow", "deny"));

        assertEquals("policy.failed", engine.decide(STATUS).reasonCode());
    }

    @Test
    void theShadowAgreesWithTheRealEngine() throws Exception {
        Engine engine = engine(Sets.gate(), ALL_SHADOW);

        for (int i = 0; i < 20; i++) {
            engine.decide(STATUS);
            engine.decideTool(Asks.call(Asks.SHELL, "integrator"));
        }
        await(() -> engine.counts().shadowed() + engine.counts().shadowSkipped() == 40);

        assertTrue(engine.counts().shadowed() > 0);
        assertEquals(List.of(), alarms);
        assertEquals(0, engine.counts().differences());
    }

    @Test
    void theShadowNeverMakesACallerWait() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        ScriptedCedar slow =
                new ScriptedCedar(
                        request -> {
                            try {
                                hold.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return new CedarDecision(true, List.of("default.cedar#4"), List.of());
                        });
        Engine engine = engine(slow.gate(), new EngineSettings(1_000, 1));

        for (int i = 0; i < 10; i++) {
            assertEquals(Outcome.ALLOW, engine.decide(STATUS).outcome());
        }

        assertTrue(engine.counts().shadowSkipped() >= 8, engine.counts().toString());
        hold.countDown();
    }

    @Test
    void nothingIsComparedUnlessConfigured() {
        AtomicInteger asked = new AtomicInteger();
        ScriptedCedar script =
                new ScriptedCedar(
                        request -> {
                            asked.incrementAndGet();
                            return new CedarDecision(false, List.of(), List.of());
                        });
        Engine engine = engine(script.gate(), ALL_SHADOW);
        engine.configure(NO_SHADOW);

        for (int i = 0; i < 50; i++) {
            engine.decide(STATUS);
        }

        assertEquals(0, engine.counts().shadowed() + engine.counts().shadowSkipped());
        // The one that is asked for comes after all that could have been.
        engine.decide(SWAP);
        assertEquals(1, asked.get());
    }

    @Test
    void toolsThatPoliciesMayAllowAreOffered() {
        Engine engine = engine(Sets.gate(), NO_SHADOW);

        assertEquals(
                Set.of("acme.shell", "acme.clock", "palyra.echo"),
                engine.usableTools(Asks.call(Asks.CLOCK, "integrator"), Asks.tools()));
        assertEquals(
                Set.of("palyra.echo"),
                engine.usableTools(Asks.call(Asks.CLOCK, "viewer"), Asks.tools()));
    }

    /** The facts of a call are not known before the model wrote it. */
    @Test
    void policiesAboutFactsRuleNoToolOut() {
        current.set(
                Sets.of(
                        "permit (principal, action == Action::\"tool.execute\", resource ==\n"
                                + "Tool::\"acme.shell\") when { context.facts has executable &&\n"
                                + "context.facts.executable == \"/usr/bin/git\" };\n"
                                + "permit (principal, action == Action::\"tool.execute\", resource"
                                + " == Tool::\"acme.clock\");\n"
                                + "forbid (principal, action == Action::\"tool.execute\","
                                + " resource)\nwhen { context.facts.argument_count < 1 };\n"));
        Engine engine = engine(Sets.gate(), NO_SHADOW);

        assertEquals(
                Set.of("acme.shell", "acme.clock"),
                engine.usableTools(Asks.call(Asks.CLOCK), Asks.tools()));
        assertEquals(Outcome.DENY, engine.decideTool(Asks.call(Asks.CLOCK)).outcome());
        assertFalse(
                engine.decideTool(Asks.call(Asks.SHELL, Asks.situation(Asks.facts(), false)))
                                .outcome()
                        == Outcome.DENY);
    }

    @Test
    void aForbidOfAnyCallRulesAToolOut() {
        current.set(
                Sets.shippedWith(
                        "forbid (principal, action == Action::\"tool.execute\", resource)\n"
                                + "when { resource.name like \"acme.*\" };"));
        Engine engine = engine(Sets.gate(), NO_SHADOW);

        assertEquals(
                Set.of("palyra.echo"),
                engine.usableTools(Asks.call(Asks.CLOCK, "operator"), Asks.tools()));
    }

    private static void look(
            Engine engine, Map<String, String> expected, List<String> mixed, Set<String> seen) {
        try {
            PolicyDecision answer = engine.decideTool(Asks.call(Asks.CLOCK, "viewer"));
            String found =
                    answer.outcome() + " " + answer.policyIds() + " " + answer.confinement().tier();
            if (!found.equals(expected.get(answer.setSha256()))) {
                mixed.add(answer.setSha256() + " " + found);
            }
            seen.add(answer.setSha256());
        } catch (RuntimeException e) {
            mixed.add(e.toString());
        }
    }

    @Test
    void answersNeverMixTwoSets() throws Exception {
        String call = "(principal, action == Action::\"tool.execute\", resource);\n";
        Snapshot one = Sets.of("@id(\"one\") @tier(\"a\") permit " + call);
        Snapshot two = Sets.of("@id(\"two\") @tier(\"b\") permit " + call);
        Snapshot three = Sets.of("@id(\"three\") forbid " + call);
        Map<String, String> expected =
                Map.of(
                        one.view().sha256(), "ALLOW [one] A",
                        two.view().sha256(), "ALLOW [two] B",
                        three.view().sha256(), "DENY [three] C");
        current.set(one);
        Engine engine = engine(Sets.gate(), new EngineSettings(100, 64));
        List<String> mixed = Collections.synchronizedList(new ArrayList<>());
        Set<String> seen = Collections.synchronizedSet(new TreeSet<>());
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                while (!stop.get()) {
                                    look(engine, expected, mixed, seen);
                                }
                            });
            thread.start();
            threads.add(thread);
        }
        List<Snapshot> sets = List.of(one, two, three);
        for (int i = 0; mixed.isEmpty() && (i < 5_000 || seen.size() < 3); i++) {
            current.set(sets.get(i % 3));
            Thread.onSpinWait();
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join(60_000);
            assertFalse(thread.isAlive());
        }

        assertEquals(List.of(), mixed);
        assertEquals(expected.keySet(), seen);
        assertEquals(List.of(), alarms);
    }
}
