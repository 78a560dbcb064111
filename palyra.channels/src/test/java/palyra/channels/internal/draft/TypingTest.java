package palyra.channels.internal.draft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
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
import palyra.testing.channel.FakePlatform.FakeConnector;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

final class TypingTest {
    private static final String SURFACE = "fake:main";
    private static final int PAUSE_MILLIS = 6;
    private static final ConnectorCapabilities TYPING =
            ConnectorCapabilities.of(256, Feature.TYPING, Feature.EDITS, Feature.LOOKUP);
    private static final Ulids IDS = new Ulids();

    private final MemoryJournal journal =
            new MemoryJournal(new MemoryKeys(), InstantSource.system(), "boot0");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 100);
    private final FakePlatform platform = new FakePlatform();
    private final Map<String, AtomicInteger> shown = new ConcurrentHashMap<>();
    private final RouteRules rules = new RouteRules(Map::of, Set::of);
    private volatile RunObserver observer;
    private volatile FakeConnector connector;
    private volatile Dispatcher dispatcher;
    private Drafts drafts;

    @BeforeEach
    void open() {
        gate.add(journal, Map.of());
        platform.onTyping(this::show);
    }

    private long show(Conversation place) {
        shown.computeIfAbsent(place.id(), unused -> new AtomicInteger()).incrementAndGet();
        return 1;
    }

    private int shown(String conversation) {
        return shown.getOrDefault(conversation, new AtomicInteger()).get();
    }

    private void begin(ConnectorCapabilities capabilities, long typingMillis, RouteRule... own) {
        List.of(own).forEach(rules::add);
        connect(capabilities);
        Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 100);
        access.add(
                new FakeAccess(FakeAccess.Use.SPEAK_FOR).connector("service:" + SURFACE), Map.of());
        Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 100);
        runs.add(front(), Map.of());
        drafts =
                new Drafts(
                        gate,
                        runs,
                        new Speakers(access),
                        rules,
                        name -> Optional.of(new Drafts.Outlet(connector, dispatcher)),
                        PAUSE_MILLIS,
                        typingMillis);
    }

    private void begin() {
        begin(TYPING, 600_000, rule("r", Set.of(), false, true));
    }

    private void connect(ConnectorCapabilities capabilities) {
        connector = platform.connector(SURFACE, capabilities);
        Dispatcher next =
                new Dispatcher(
                        connector,
                        "boot0/" + IDS.next(),
                        gate,
                        () -> new DispatchSettings(4, 5, 1, 5, 0, false),
                        () -> false,
                        new HeldFiles(Path.of("unused"), gate, () -> 0, InstantSource.system()),
                        InstantSource.system());
        next.start();
        dispatcher = next;
        String lease = "channel/" + SURFACE;
        Await.until("the lease", () -> journal.lease(lease).isPresent());
    }

    private Runs front() {
        return (Runs)
                java.lang.reflect.Proxy.newProxyInstance(
                        Runs.class.getClassLoader(),
                        new Class<?>[] {Runs.class},
                        (proxy, method, arguments) -> {
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

    @AfterEach
    void close() {
        drafts.close();
        dispatcher.close();
    }

    private static RouteRule rule(
            String name, Set<String> conversations, boolean streams, boolean types) {
        return TestRules.rule(
                name,
                Map.of(
                        "priority",
                        conversations.isEmpty() ? 0 : 1,
                        "conversations",
                        conversations.toArray(String[]::new),
                        "directMessages",
                        "allow",
                        "streamAnswers",
                        streams,
                        "typing",
                        types));
    }

    /** Returns a run that works for a message of a conversation, and tells of it. */
    private String run(String conversation) {
        String message = IDS.next();
        String session = IDS.next();
        String run = IDS.next();
        String person = "user:fake:main:ann";
        MessageOrigin origin =
                new MessageOrigin(
                        Conversation.direct(conversation),
                        new Sender("ann", "", false, true),
                        "",
                        "");
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
                        origin,
                        WhileRunning.QUEUE);
        journal.commit(
                Unit.of(
                        new Operation.PutInbox(
                                new InboxRow(
                                        message,
                                        SURFACE,
                                        message,
                                        person,
                                        SubmissionCodec.messageBytes(submitted),
                                        InboxRow.State.QUEUED,
                                        "",
                                        "",
                                        0)),
                        new Operation.InsertSession(
                                new SessionView(
                                        session, session, "Label", person, "", SURFACE, "agent", 0,
                                        0, 0, "")),
                        new Operation.InsertRun(
                                run,
                                session,
                                person,
                                "agent",
                                "interactive",
                                message,
                                SURFACE,
                                RunState.RUNNING,
                                0)));
        drafts.advanced(run);
        return run;
    }

    private void move(String run, RunState from, RunState to) {
        journal.commit(Unit.of(new Operation.MoveRun(run, EnumSet.of(from), to, "reason")));
        drafts.advanced(run);
    }

    private void awaitShown(String conversation, int more) {
        int before = shown(conversation);
        Await.until(more + " more in " + conversation, () -> shown(conversation) >= before + more);
    }

    /** As much time passes as shows it ten times elsewhere. */
    private void awaitShownElsewhere() {
        String other = run("elsewhere");
        awaitShown("elsewhere", 10);
        move(other, RunState.RUNNING, RunState.CANCELLED);
    }

    private void assertShowsNothingMore(String conversation) {
        int before = shown(conversation);
        awaitShownElsewhere();
        assertEquals(before, shown(conversation));
    }

    @Test
    void isShownAgainAndAgainUntilTheRunEnds() {
        begin();
        String run = run("a");
        awaitShown("a", 3);
        move(run, RunState.RUNNING, RunState.SUCCEEDED);
        Await.until("the end", drafts::isIdle);
        assertShowsNothingMore("a");
        assertEquals(
                shown("a") + shown("elsewhere"), dispatcher.typingCounts().get("shown").intValue());
    }

    @Test
    void isNotShownWhileAPersonIsAskedAndIsAfterwards() {
        begin();
        String run = run("a");
        awaitShown("a", 1);
        move(run, RunState.RUNNING, RunState.AWAITING_APPROVAL);
        Await.until("a pause", drafts::isIdle);
        assertShowsNothingMore("a");
        move(run, RunState.AWAITING_APPROVAL, RunState.RUNNING);
        awaitShown("a", 3);
    }

    @Test
    void ruleCanTurnItOff() {
        begin(
                TYPING,
                600_000,
                rule("all", Set.of(), false, true),
                rule("quiet", Set.of("a"), false, false));
        run("a");
        awaitShownElsewhere();
        assertEquals(0, shown("a"));
    }

    @Test
    void isNeverAskedOfAConnectorWithoutIt() {
        begin(
                ConnectorCapabilities.of(256, Feature.EDITS),
                600_000,
                rule("r", Set.of(), false, true));
        run("a");
        drafts.close(); // what was due was done
        assertEquals(Map.of(), shown);
    }

    @Test
    void endsAfterItsTime() {
        begin(TYPING, 200, rule("r", Set.of(), false, true));
        run("a");
        awaitShown("a", 2);
        Await.until("the end of its time", drafts::isIdle);
        assertShowsNothingMore("a");
    }

    @Test
    void endsWhenADraftIsShown() {
        begin(TYPING, 600_000, rule("r", Set.of(), true, true));
        run("a");
        awaitShown("a", 2);
        RunObserver draft = observer;
        String text = "The answer of the agent, as far as it is written";
        draft.onEvent(new RunEvent.Text(1, 1, false, 0, text));
        Await.until("the draft", () -> platform.texts("a").equals(List.of(text)));
        assertShowsNothingMore("a");
    }

    @Test
    void comesNoMoreWhereThePlatformDoesNotShowIt() {
        begin();
        platform.onTyping(
                place -> {
                    show(place);
                    return place.id().equals("a") ? 0 : 1;
                });
        run("a");
        awaitShown("a", 1);
        Await.until("it to be given up", drafts::isIdle);
        assertShowsNothingMore("a");
    }

    @Test
    void endOfARunIsSeenWhileThePlatformWantsAWait() {
        begin();
        platform.onTyping(
                place -> {
                    show(place);
                    return 60_000;
                });
        String run = run("a");
        awaitShown("a", 1);
        move(run, RunState.RUNNING, RunState.SUCCEEDED);
        Await.until("the end", drafts::isIdle);
        assertEquals(1, shown("a"));
    }

    @Test
    void failingPlatformIsAskedMoreAndMoreSeldom() {
        begin();
        Queue<Long> times = new ConcurrentLinkedQueue<>();
        platform.onTyping(
                place -> {
                    times.add(System.nanoTime());
                    throw new IllegalStateException("the platform fails");
                });
        run("a");
        Await.until("five failures", () -> dispatcher.typingCounts().get("failed") >= 5);
        List<Long> at = List.copyOf(times);
        for (int i = 1; i < 5; i++) {
            long least = TimeUnit.MILLISECONDS.toNanos((long) PAUSE_MILLIS << i);
            assertTrue(at.get(i) - at.get(i - 1) >= least, "the pause before attempt " + i);
        }
        platform.onTyping(this::show);
        awaitShown("a", 2);
    }

    @Test
    void answersDoNotWaitForIt() throws InterruptedException {
        begin();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        platform.onTyping(place -> hold(begun, released));
        String run = run("a");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        put(run, "a", "the answer");
        Await.until("the answer", () -> platform.texts("a").equals(List.of("the answer")));
        released.countDown();
    }

    private long hold(CountDownLatch begun, CountDownLatch released) {
        begun.countDown();
        try {
            released.await();
            return 1;
        } catch (InterruptedException e) {
            released.countDown();
            throw new IllegalStateException(e);
        }
    }

    private void put(String run, String conversation, String text) {
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        IDS.next(),
                                        run,
                                        SURFACE,
                                        conversation,
                                        Outbound.of(
                                                        Outbound.ANSWER,
                                                        text,
                                                        Conversation.direct(conversation),
                                                        "")
                                                .bytes(),
                                        OutboxRow.State.PENDING,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        dispatcher.wake();
    }

    /** What is under way ends with the old connector, and the new one goes on. */
    @Test
    void swapEndsTheCallThatIsUnderWayAndGoesOn() throws InterruptedException {
        begin();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        platform.onTyping(place -> hold(begun, ended));
        run("a");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        dispatcher.close();
        assertEquals(0, ended.getCount(), "the old connector is in no call any more");
        platform.onTyping(this::show);
        assertEquals(0, shown("a"), "the old connector is not asked again");
        connect(TYPING);
        awaitShown("a", 2);
    }

    @Test
    void isShownOfSixtyFourRunsAtATime() {
        begin();
        for (int i = 0; i < 70; i++) {
            run("c" + i);
        }
        Await.until("64 conversations", () -> shown.size() >= 64);
        shown.clear();
        Await.until("them again", () -> shown.size() >= 64);
        assertEquals(64, shown.size());
    }

    @Test
    void whoLostTheLeaseShowsNothing() {
        begin();
        run("a");
        awaitShown("a", 1);
        String lease = "channel/" + SURFACE;
        journal.releaseLease(lease, journal.lease(lease).orElseThrow().owner());
        journal.takeLease(lease, "boot0/other", 600_000);
        AtomicInteger looks = new AtomicInteger();
        int before = shown("a");
        journal.beforeRead(looks::incrementAndGet);
        Await.until("looks", () -> looks.get() > 50);
        assertTrue(shown("a") <= before + 1, "one may have been under way");
    }
}
