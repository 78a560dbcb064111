package palyra.channels.internal.draft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.channels.internal.dispatch.DispatchSettings;
import palyra.channels.internal.dispatch.Dispatcher;
import palyra.channels.internal.files.HeldFiles;
import palyra.channels.internal.inbound.Speakers;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.TestRules;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.channel.FakePlatform;
import palyra.testing.channel.FakePlatform.Fault;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

final class DraftsTest {
    private static final String SURFACE = "fake:main";
    private static final ConnectorCapabilities EDITS =
            ConnectorCapabilities.of(256, Feature.EDITS, Feature.LOOKUP);
    private static final String BEGIN = "This is how the answer of the agent begins, at length";
    private static final String FINAL = BEGIN + " and this is how it ends.";
    private static final Ulids IDS = new Ulids();

    private final MemoryJournal journal =
            new MemoryJournal(new MemoryKeys(), InstantSource.system(), "boot0");
    private final FakePlatform platform = new FakePlatform();
    private final List<Life> lives = new ArrayList<>();

    @AfterEach
    void close() {
        lives.parallelStream().forEach(Life::close); // the dead ones wait for their journal
    }

    /** One life of the bundle. From a unit on its journal is gone, as after {@code kill -9}. */
    private final class Life implements AutoCloseable {
        private final Gate<Journal> gate =
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 100);
        private final Dispatcher dispatcher;
        private final Drafts drafts;
        private final int last;
        private final boolean applied;
        private final AtomicInteger units = new AtomicInteger();
        private volatile boolean dead;
        private volatile RunObserver observer;
        private boolean closed;

        Life(ConnectorCapabilities capabilities) {
            this(capabilities, Integer.MAX_VALUE, false);
        }

        /**
         * Begins one.
         *
         * @param last unit with which it dies
         * @param applied whether that unit is durable
         */
        Life(ConnectorCapabilities capabilities, int last, boolean applied) {
            this.last = last;
            this.applied = applied;
            String boot = "boot" + (lives.size() + 1);
            journal.restart(boot);
            gate.add(mortal(), Map.of());
            Connector connector = platform.connector(SURFACE, capabilities);
            dispatcher =
                    new Dispatcher(
                            connector,
                            boot + "/" + IDS.next(),
                            gate,
                            () -> new DispatchSettings(4, 5, 1, 5, 0, false),
                            () -> false,
                            new HeldFiles(Path.of("unused"), gate, () -> 0, InstantSource.system()),
                            InstantSource.system());
            Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 100);
            access.add(
                    new FakeAccess(FakeAccess.Use.SPEAK_FOR).connector("service:" + SURFACE),
                    Map.of());
            Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 100);
            runs.add(front(), Map.of());
            RouteRules rules = new RouteRules(Map::of, Set::of);
            rules.add(rule());
            drafts =
                    new Drafts(
                            gate,
                            runs,
                            new Speakers(access),
                            rules,
                            name -> Optional.of(new Drafts.Outlet(connector, dispatcher)),
                            6,
                            60_000);
            lives.add(this);
            dispatcher.start();
        }

        private Journal mortal() {
            return (Journal)
                    Proxy.newProxyInstance(
                            Journal.class.getClassLoader(),
                            new Class<?>[] {Journal.class},
                            (proxy, method, arguments) -> {
                                boolean unit =
                                        Set.of("commit", "submit").contains(method.getName());
                                boolean dies = unit && units.incrementAndGet() == last;
                                dead |= dies;
                                if (dead && !(dies && applied)) {
                                    throw gone();
                                }
                                try {
                                    Object result = method.invoke(journal, arguments);
                                    if (dies) {
                                        throw gone();
                                    }
                                    return result;
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }

        private PalyraException gone() {
            return new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "The process was killed.");
        }

        private Runs front() {
            return (Runs)
                    Proxy.newProxyInstance(
                            Runs.class.getClassLoader(),
                            new Class<?>[] {Runs.class},
                            (proxy, method, arguments) -> {
                                assertEquals("follow", method.getName());
                                observer = (RunObserver) arguments[3];
                                return new Following() {
                                    @Override
                                    public boolean await(long timeoutMillis) {
                                        return true;
                                    }

                                    @Override
                                    public void close() {}
                                };
                            });
        }

        void follow(String run) {
            drafts.advanced(run);
            await("the run to be followed", () -> observer != null);
        }

        void text(int turn, String text) {
            if (observer != null) {
                observer.onEvent(new RunEvent.Text(turn, 1, false, 0, text));
            }
        }

        void await(String what, BooleanSupplier condition) {
            Await.until(what, () -> dead || condition.getAsBoolean());
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                drafts.close();
                dispatcher.close();
            }
        }
    }

    private static RouteRule rule() {
        return TestRules.rule("r", Map.of("directMessages", "allow", "streamAnswers", true));
    }

    /** Returns a run that works for a message of a conversation. */
    private String run(String conversation) {
        String message = IDS.next();
        String session = IDS.next();
        String run = IDS.next();
        SubmittedMessage submitted =
                new SubmittedMessage(
                        SURFACE,
                        message,
                        "",
                        "",
                        "",
                        "",
                        "",
                        "hello",
                        "",
                        false,
                        "",
                        "",
                        false,
                        "",
                        false,
                        new MessageOrigin(
                                Conversation.direct(conversation),
                                new Sender("ann", "", false, true),
                                "",
                                ""),
                        WhileRunning.QUEUE);
        journal.commit(
                Unit.of(
                        new Operation.PutInbox(
                                new InboxRow(
                                        message,
                                        SURFACE,
                                        message,
                                        "user:fake:main:ann",
                                        SubmissionCodec.messageBytes(submitted),
                                        InboxRow.State.QUEUED,
                                        "",
                                        "",
                                        0)),
                        new Operation.InsertSession(
                                new SessionView(
                                        session,
                                        session,
                                        "Label",
                                        "user:fake:main:ann",
                                        "",
                                        SURFACE,
                                        "agent",
                                        0,
                                        0,
                                        0,
                                        "")),
                        new Operation.InsertRun(
                                run,
                                session,
                                "user:fake:main:ann",
                                "agent",
                                "interactive",
                                message,
                                SURFACE,
                                RunState.RUNNING,
                                0)));
        return run;
    }

    /** The gateway ends a run, as it does wherever this bundle is. */
    private String end(String run, RunState state, String text) {
        String id = IDS.next();
        Unit.Builder unit =
                Unit.builder()
                        .add(
                                new Operation.MoveRun(
                                        run, EnumSet.of(RunState.RUNNING), state, "reason"));
        if (state != RunState.CANCELLED) {
            unit.add(
                    new Operation.PutOutbox(
                            new OutboxRow(
                                    id,
                                    run,
                                    SURFACE,
                                    "a",
                                    Outbound.of(
                                                    state == RunState.SUCCEEDED
                                                            ? Outbound.ANSWER
                                                            : Outbound.FAILURE,
                                                    text,
                                                    Conversation.direct("a"),
                                                    "")
                                            .bytes(),
                                    OutboxRow.State.PENDING,
                                    OutboxProgress.NONE,
                                    0,
                                    0)));
        }
        journal.commit(unit.build());
        return id;
    }

    private boolean isSent(String id) {
        return journal.outbox(id).filter(row -> row.state() == OutboxRow.State.SENT).isPresent();
    }

    private Life shown(String run, ConnectorCapabilities capabilities) {
        Life life = new Life(capabilities);
        life.follow(run);
        life.text(1, BEGIN);
        life.await("the draft", () -> platform.texts("a").equals(List.of(BEGIN)));
        Await.until("its record", () -> isSent(journal.outboxOf(run).getFirst().outboxId()));
        return life;
    }

    private void answered(Life life, String run) {
        String answer = end(run, RunState.SUCCEEDED, FINAL);
        life.dispatcher.wake();
        Await.until("the answer", () -> isSent(answer));
        Await.until(
                "the draft to be over",
                () -> {
                    life.drafts.sweep();
                    return journal.documents("channel_draft", "", 10).isEmpty();
                });
    }

    @Test
    void messageGrowsAndTheAnswerTakesItsPlace() {
        String run = run("a");
        Life life = shown(run, EDITS);
        life.observer.onEvent(new RunEvent.Text(1, 1, false, BEGIN.length(), " and it goes on"));
        life.await("more", () -> platform.texts("a").equals(List.of(BEGIN + " and it goes on")));
        life.text(2, "Another turn begins and has a text of its own");
        life.await("another turn", () -> platform.texts("a").getFirst().startsWith("Another"));
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
        assertEquals(2, journal.outboxOf(run).size(), "a draft and an answer, no row for a change");
    }

    @Test
    void thoughtsAndShortTextsAreNotShownAtOnce() {
        String run = run("a");
        Life life = new Life(EDITS);
        life.follow(run);
        life.observer.onEvent(new RunEvent.Text(1, 1, true, 0, BEGIN + " in secret"));
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
        assertEquals(1, journal.outboxOf(run).size());
    }

    @Test
    void furtherPartsAreNewMessagesAndADraftHasOne() {
        String run = run("a");
        Life life = shown(run, EDITS);
        life.text(2, "word ".repeat(300));
        life.await("a full draft", () -> platform.texts("a").getFirst().startsWith("word"));
        int sends = platform.sends();
        life.text(2, "word ".repeat(10));
        String answer =
                end(run, RunState.SUCCEEDED, ("word ".repeat(40).strip() + "\n\n").repeat(2));
        life.dispatcher.wake();
        Await.until("the answer", () -> isSent(answer));
        assertEquals(2, platform.texts("a").size());
        assertEquals(sends + 2, platform.sends(), "what does not fit is not sent again");
    }

    @Test
    void aDraftThatOverflowsTheStackIsGivenUpAndTheAnswerComes() {
        String run = run("a");
        Life life = shown(run, EDITS);
        AtomicInteger cuts = new AtomicInteger();
        platform.cutter(
                markdown -> {
                    if (markdown.startsWith("Deep")) {
                        cuts.incrementAndGet();
                        throw new StackOverflowError("of a pattern");
                    }
                    return List.of(markdown);
                });
        life.text(2, "Deep text that overflows the stack of the connector's patterns");
        life.await("it to be tried", () -> cuts.get() > 0);
        Await.until("it to be given up", life.drafts::isIdle);
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
        assertEquals(1, cuts.get());
    }

    @Test
    void whereMessagesCannotBeChangedTheAnswerComesAsItDid() {
        String run = run("a");
        Life life = new Life(ConnectorCapabilities.of(256, Feature.LOOKUP));
        life.drafts.advanced(run);
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
        assertEquals(1, journal.outboxOf(run).size());
    }

    @Test
    void failureTakesThePlaceToo() {
        String run = run("a");
        Life life = shown(run, EDITS);
        String failure = end(run, RunState.FAILED, "The model failed.");
        life.dispatcher.wake();
        Await.until("the failure", () -> isSent(failure));
        assertEquals(List.of("The model failed."), platform.texts("a"));
    }

    @Test
    void deletedDraftIsFollowedByANewMessage() {
        String run = run("a");
        Life life = shown(run, EDITS);
        platform.delete(platform.posted("a").getFirst().id());
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
    }

    @Test
    void refusedDraftHoldsUpNothingAndIsNoDeadLetter() {
        String run = run("a");
        platform.fail("a", Fault.REFUSED);
        Life life = new Life(EDITS);
        life.follow(run);
        life.text(1, BEGIN);
        Await.until("the draft to be refused", () -> platform.sends() == 1);
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
        assertEquals(List.of(), journal.outboxIn(OutboxRow.State.FAILED, SURFACE, "", 10));
    }

    @Test
    void draftOfWhichNothingIsKnownIsFollowedByANewMessage() {
        String run = run("a");
        platform.fail("a", Fault.LOST_REQUEST);
        Life life = new Life(ConnectorCapabilities.of(256, Feature.EDITS));
        life.follow(run);
        life.text(1, BEGIN);
        Await.until("the draft to be lost", () -> platform.sends() == 1);
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
        assertEquals(List.of(), journal.outboxIn(OutboxRow.State.UNKNOWN, SURFACE, "", 10));
    }

    @Test
    void changesWaitAsThePlatformSaysAndAreLostWithoutHarm() {
        String run = run("a");
        Life life = shown(run, EDITS);
        platform.fail("a", Fault.RATE_LIMITED, Fault.LOST_ANSWER, Fault.SERVER_ERROR, Fault.THROWN);
        for (int i = 0; i < 5; i++) {
            String text = i + " " + BEGIN;
            int sends = platform.sends();
            life.text(10 + i, text);
            life.await("a change", () -> platform.sends() > sends);
        }
        platform.fail("a", Fault.LOST_ANSWER, Fault.SERVER_ERROR, Fault.LOST_REQUEST);
        answered(life, run);
        assertEquals(List.of(FINAL), platform.texts("a"));
    }

    @Test
    void answerWaitsForTheChangeThatIsUnderWay() throws InterruptedException {
        String run = run("a");
        Life life = shown(run, EDITS);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        platform.onSend(message -> holdChange(message, begun, released));
        life.text(2, "A change that is under way for very long");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        String answer = end(run, RunState.SUCCEEDED, FINAL);
        life.dispatcher.wake();
        String other = run("b");
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        IDS.next(),
                                        other,
                                        SURFACE,
                                        "b",
                                        Outbound.of(
                                                        Outbound.ANSWER,
                                                        "no wait",
                                                        Conversation.direct("b"),
                                                        "")
                                                .bytes(),
                                        OutboxRow.State.PENDING,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        life.dispatcher.wake();
        Await.until("the other conversation", () -> !platform.texts("b").isEmpty());
        assertFalse(isSent(answer));
        released.countDown();
        Await.until("the answer", () -> isSent(answer));
        assertEquals(List.of(FINAL), platform.texts("a"));
    }

    private static void holdChange(
            OutboundMessage message, CountDownLatch begun, CountDownLatch released) {
        if (message.text().startsWith("A change")) {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void whoLostTheLeaseChangesNothing() {
        String run = run("a");
        Life life = shown(run, EDITS);
        String lease = "channel/" + SURFACE;
        journal.releaseLease(lease, journal.lease(lease).orElseThrow().owner());
        journal.takeLease(lease, "boot1/other", 600_000);
        int sends = platform.sends();
        AtomicInteger looks = new AtomicInteger();
        journal.beforeRead(looks::incrementAndGet);
        AtomicInteger turn = new AtomicInteger(2);
        life.await(
                "looks at the lease",
                () -> {
                    life.text(
                            turn.incrementAndGet(),
                            turn + " is a text that another process has to show, not this.");
                    return looks.get() > 50;
                });
        assertEquals(sends, platform.sends());
    }

    @Test
    void cancelledRunLeavesATrueMessageAlsoWhenTheBundleWasAway() {
        String run = run("a");
        Life life = shown(run, EDITS);
        life.close();
        end(run, RunState.CANCELLED, "");
        Life next = new Life(EDITS);
        next.drafts.sweep();
        next.dispatcher.wake();
        Await.until("the end", () -> platform.texts("a").equals(List.of("Cancelled.")));
        next.drafts.sweep();
        assertEquals(List.of(), journal.documents("channel_draft", "", 10));
    }

    /** Whatever write a life ends with, before or after it: one message, with the last text. */
    @Test
    void aLifeMayEndAtEachStep() {
        for (RunState state : List.of(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED)) {
            for (int last = 1; last <= 9; last++) {
                endsAt(state, last, false);
                endsAt(state, last, true);
            }
        }
    }

    private void endsAt(RunState state, int last, boolean applied) {
        platform.posted("a").forEach(message -> platform.delete(message.id()));
        String run = run("a");
        Life life = new Life(EDITS, last, applied);
        life.follow(run);
        life.text(1, BEGIN);
        life.await("the draft", () -> !platform.texts("a").isEmpty());
        life.text(2, "Another turn begins and has a text of its own");
        life.await("the change", () -> platform.texts("a").getFirst().startsWith("Another"));
        String answer = end(run, state, FINAL);
        life.dispatcher.wake();
        over(life, state, answer, () -> life.dead);
        life.dead = true;
        finished(new Life(EDITS), state, answer, last + " " + applied);
    }

    private void over(Life life, RunState state, String answer, BooleanSupplier otherwise) {
        Await.until(
                "the end",
                () -> {
                    life.dispatcher.wake();
                    if (!otherwise.getAsBoolean()) {
                        try {
                            life.drafts.sweep();
                        } catch (PalyraException e) {
                            return otherwise.getAsBoolean();
                        }
                    }
                    boolean sent = state == RunState.CANCELLED || isSent(answer);
                    boolean open =
                            !journal.outboxIn(OutboxRow.State.PENDING, SURFACE, "", 10).isEmpty()
                                    || !journal.outboxIn(OutboxRow.State.SENDING, SURFACE, "", 10)
                                            .isEmpty();
                    boolean drafts = journal.documents("channel_draft", "", 10).isEmpty();
                    return otherwise.getAsBoolean() || sent && !open && drafts;
                });
    }

    private void finished(Life next, RunState state, String answer, String when) {
        next.drafts.sweep();
        next.dispatcher.wake();
        over(next, state, answer, () -> false);
        List<String> expected = List.of(FINAL);
        List<String> texts = platform.texts("a");
        if (state == RunState.CANCELLED) {
            expected = texts.isEmpty() ? List.of() : List.of("Cancelled.");
        }
        assertEquals(expected, texts, state + " at " + when);
        next.close();
    }
}
