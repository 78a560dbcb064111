package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.lib.cedar.CedarDecision;
import palyra.policy.internal.set.Snapshot;

class ReplayTest {
    private final Snapshot shipped = Sets.shipped();

    private static String evidence() {
        return PolicyRequest.of(Asks.call(Asks.SHELL, "integrator")).evidenceJson();
    }

    @Test
    void aRecordedCallIsDecidedAgainOnBothEngines() {
        Snapshot stricter =
                Sets.shippedWith(
                        "@id(\"no\") forbid (principal, action == Action::\"tool.execute\","
                                + " resource);");
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), 60_000)) {
            Replay.Outcome now = Replay.run(shipped, check, evidence());
            Replay.Outcome then = Replay.run(stricter, check, evidence());

            assertEquals(Outcome.ALLOW_IF_APPROVED, now.answer().outcome());
            assertTrue(now.difference().isEmpty());
            assertEquals("", now.unconfirmed());
            assertEquals(Outcome.DENY, then.answer().outcome());
            assertTrue(then.difference().isEmpty());
        }
    }

    /** The schema requires {@code context.spend}, which older gateways did not record. */
    @Test
    void aCallThatWasRecordedBeforeThereWereBudgetsHadSpentNothing() {
        Snapshot thrifty =
                Sets.shippedWith(
                        "@id(\"thrifty\") forbid (principal, action == Action::\"tool.execute\","
                                + " resource) when { context.spend.percent > 80 };"
                                + " @id(\"unspent\") permit (principal, action =="
                                + " Action::\"tool.execute\", resource)"
                                + " when { context.spend.calls == 0 };");
        String now = PolicyRequest.of(Asks.call(Asks.CLOCK, "integrator")).evidenceJson();
        String older =
                now.replaceFirst(",\"spend\":\\{[^}]*}", "")
                        .replaceFirst("\"spend\":\\{[^}]*},", "");
        assertFalse(older.contains("spend"), older);
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), 60_000)) {
            Replay.Outcome outcome = Replay.run(thrifty, check, older);

            assertEquals(Replay.run(thrifty, check, now).answer(), outcome.answer());
            assertEquals(Outcome.ALLOW, outcome.answer().outcome());
            assertTrue(outcome.answer().policyIds().contains("unspent"), outcome.toString());
            assertTrue(outcome.difference().isEmpty());
            assertEquals("", outcome.unconfirmed());
        }
    }

    @Test
    void theAnswerIsTheOneThatWasRecorded() {
        PolicyDecision recorded =
                Decider.decide(shipped, PolicyRequest.of(Asks.call(Asks.SHELL, "integrator")));
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), 60_000)) {
            assertEquals(recorded, Replay.run(shipped, check, recorded.evidenceJson()).answer());
        }
    }

    @Test
    void aCallIsComparedWithAndWithoutAnApproval() {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        String sensitive =
                shipped.policies().policies().stream()
                        .filter(p -> shipped.name(p).equals("sensitive_tools_need_approval"))
                        .findFirst()
                        .orElseThrow()
                        .id();
        // Right without an approval, wrong with one.
        ScriptedCedar cedar =
                new ScriptedCedar(
                        request -> {
                            asked.add(request);
                            return new CedarDecision(false, List.of(sensitive), List.of());
                        });
        try (NativeEngineCheck check = new NativeEngineCheck(cedar.gate(), 60_000)) {
            Replay.Outcome outcome = Replay.run(shipped, check, evidence());

            assertEquals(2, asked.size());
            assertTrue(asked.get(1).contains("\"granted\":true"), asked.get(1));
            EngineDivergence difference = outcome.difference().orElseThrow();
            assertEquals("allow by members_use_tools", difference.compiled());
            assertEquals("deny by sensitive_tools_need_approval", difference.nativeEngine());
        }
    }

    @Test
    void withoutTheNativeEngineItSaysSo() {
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.emptyGate(), 60_000)) {
            Replay.Outcome outcome = Replay.run(shipped, check, evidence());

            assertFalse(outcome.unconfirmed().isEmpty());
            assertEquals(Outcome.ALLOW_IF_APPROVED, outcome.answer().outcome());
        }
    }

    @Test
    void whatIsNoEvidenceIsRefused() {
        try (NativeEngineCheck check = new NativeEngineCheck(Sets.emptyGate(), 60_000)) {
            assertThrows(PalyraException.class, () -> Replay.run(shipped, check, "{}"));
        }
    }
}
