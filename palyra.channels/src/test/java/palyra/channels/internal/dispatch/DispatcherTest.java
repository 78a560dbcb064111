package palyra.channels.internal.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Conversation;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.channels.internal.files.HeldFiles;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.testing.channel.FakePlatform;
import palyra.testing.channel.FakePlatform.Fault;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

final class DispatcherTest {
    private static final Ulids IDS = new Ulids();
    private static final String SURFACE = "fake:main";
    private static final ConnectorCapabilities LOOKS_UP =
            ConnectorCapabilities.of(64, Feature.LOOKUP, Feature.EDITS);

    private final MemoryJournal journal =
            new MemoryJournal(new MemoryKeys(), InstantSource.system(), "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 2_000);
    private final FakePlatform platform = new FakePlatform();
    @TempDir Path temp;
    private final AtomicBoolean paused = new AtomicBoolean();
    private final List<Dispatcher> started = new ArrayList<>();
    private volatile DispatchSettings settings =
            new DispatchSettings(4, 5, 10, 50, TimeUnit.HOURS.toMillis(1), false);

    DispatcherTest() {
        gate.add(journal, Map.of());
    }

    @AfterEach
    void close() {
        started.forEach(Dispatcher::close);
    }

    private Dispatcher start(ConnectorCapabilities capabilities) {
        return start(capabilities, "boot/" + IDS.next());
    }

    private Dispatcher start(ConnectorCapabilities capabilities, String owner) {
        Dispatcher dispatcher =
                new Dispatcher(
                        platform.connector(SURFACE, capabilities),
                        owner,
                        gate,
                        () -> settings,
                        paused::get,
                        held(),
                        InstantSource.system());
        started.add(dispatcher);
        dispatcher.start();
        return dispatcher;
    }

    private HeldFiles held() {
        return new HeldFiles(temp, gate, () -> 1_000, InstantSource.system());
    }

    private String put(String conversation, String text) {
        return put(conversation, text, "", OutboxRow.State.PENDING);
    }

    private String put(String conversation, String text, String edits, OutboxRow.State state) {
        String id = IDS.next();
        Outbound message =
                new Outbound(
                        "answer",
                        text,
                        Conversation.direct(conversation),
                        "",
                        edits,
                        List.of(),
                        List.of());
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        id,
                                        "",
                                        SURFACE,
                                        conversation,
                                        message.bytes(),
                                        state,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        return id;
    }

    private OutboxRow awaitState(String id, OutboxRow.State state) {
        Await.until(
                "the platform or the journal to say so",
                () -> journal.outbox(id).orElseThrow().state() == state);
        return journal.outbox(id).orElseThrow();
    }

    private String putFile(String text, byte[] content) throws IOException {
        String id = IDS.next();
        Outbound message =
                Outbound.ofFile(
                        text,
                        Conversation.direct("a"),
                        new Outbound.File(
                                "plan.txt",
                                "text/plain",
                                content.length,
                                Digests.sha256Hex(content)));
        Files.write(temp.resolve(id), content);
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        id,
                                        "",
                                        SURFACE,
                                        "a",
                                        message.bytes(),
                                        OutboxRow.State.PENDING,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        return id;
    }

    @Test
    void filesGoWithTheLastPartInTheirTurn() throws IOException {
        List<String> seen = new CopyOnWriteArrayList<>();
        platform.onSend(
                message ->
                        seen.add(
                                message.text()
                                        + message.files().stream()
                                                .map(file -> "+" + file.name() + file.bytes())
                                                .toList()));
        put("a", "before");
        platform.fail("a", Fault.LOST_ANSWER, Fault.LOST_ANSWER, Fault.LOST_ANSWER);
        putFile(("word ".repeat(11).strip() + "\n\n").repeat(2).strip(), new byte[5]);
        putFile("", new byte[7]);
        String after = put("a", "after");
        start(ConnectorCapabilities.of(64, Feature.LOOKUP, Feature.FILES_OUT));
        awaitState(after, OutboxRow.State.SENT);
        String words = "word ".repeat(11).strip();
        assertEquals(
                List.of(
                        "before[]",
                        words + "[]",
                        words + "[+plan.txt5]",
                        "[+plan.txt7]",
                        "after[]"),
                seen);
        assertEquals(0, platform.doubled());
    }

    @Test
    void aFileThatCannotBeSentIsADeadLetterAndSaysWhy() throws IOException {
        String id = putFile("", new byte[5]);
        String next = put("a", "next");
        Dispatcher dispatcher = start(LOOKS_UP);
        awaitState(next, OutboxRow.State.SENT);
        assertEquals(
                SURFACE + " cannot send files",
                awaitState(id, OutboxRow.State.FAILED).progress().reason());
        dispatcher.close();
        Files.delete(temp.resolve(id));
        new DeadLetters(gate, SURFACE::equals).replay(id, "user:op");
        start(ConnectorCapabilities.of(64, Feature.LOOKUP, Feature.FILES_OUT));
        Await.until(
                "the other reason",
                () ->
                        journal.outbox(id)
                                .orElseThrow()
                                .progress()
                                .reason()
                                .contains("'plan.txt' is not kept any more"));
        awaitState(id, OutboxRow.State.FAILED);
    }

    @Test
    void conversationKeepsItsOrderThroughFaults() {
        List<String> texts = IntStream.range(0, 30).mapToObj(i -> "m" + i).toList();
        platform.fail(
                "a",
                Fault.LOST_ANSWER,
                Fault.RATE_LIMITED,
                Fault.LOST_REQUEST,
                Fault.THROWN,
                Fault.SERVER_ERROR,
                Fault.LOST_ANSWER);
        List<String> ids = texts.stream().map(text -> put("a", text)).toList();
        start(LOOKS_UP);
        awaitState(ids.getLast(), OutboxRow.State.SENT);
        assertEquals(texts, platform.texts("a"));
        assertEquals(0, platform.doubled());
    }

    @Test
    void slowConversationHoldsUpNoOther() {
        platform.hold("slow");
        String held = put("slow", "later");
        IntStream.range(0, 20).forEach(i -> put("slow", "more" + i));
        List<String> others = IntStream.range(0, 20).mapToObj(i -> put("c" + i, "now")).toList();
        start(LOOKS_UP);
        others.forEach(id -> awaitState(id, OutboxRow.State.SENT));
        assertEquals(List.of(), platform.texts("slow"));
        platform.release("slow");
        awaitState(held, OutboxRow.State.SENT);
    }

    @Test
    void longAnswerGoesOnWithThePartThatWasNotSent() {
        String text = ("word ".repeat(11).strip() + "\n\n").repeat(4).strip();
        platform.fail("a", Fault.LOST_ANSWER, Fault.LOST_REQUEST, Fault.SERVER_ERROR);
        OutboxRow row = awaitSent(text);
        assertEquals(4, row.progress().sentIds().size());
        assertEquals(4, platform.texts("a").size());
        assertEquals(text, String.join("\n\n", platform.texts("a")));
        assertEquals(0, platform.doubled());
    }

    private OutboxRow awaitSent(String text) {
        String id = put("a", text);
        start(LOOKS_UP);
        return awaitState(id, OutboxRow.State.SENT);
    }

    @Test
    void partsStayAsTheyWereCutWhenTheConnectorIsReplaced() {
        String text = "x".repeat(100);
        String id = put("a", text);
        platform.fail("a", Fault.SERVER_ERROR);
        Dispatcher first = start(LOOKS_UP);
        Await.until("the platform or the journal to say so", () -> platform.sends() > 0);
        first.close();
        platform.cutter(markdown -> List.of("another cut"));
        start(LOOKS_UP);
        awaitState(id, OutboxRow.State.SENT);
        assertEquals(text, String.join("", platform.texts("a")));
    }

    @Test
    void anAnswerOfTooManyMessagesSaysThatItIsCut() {
        platform.cutter(
                markdown ->
                        markdown.startsWith("long")
                                ? IntStream.range(0, 100).mapToObj(i -> "part " + i).toList()
                                : List.of(markdown));
        String id = put("a", "long");
        start(LOOKS_UP);
        awaitState(id, OutboxRow.State.SENT);
        List<String> texts = platform.texts("a");
        assertEquals(OutboxProgress.MOST_PARTS, texts.size());
        assertEquals("part 62", texts.get(62));
        assertTrue(texts.getLast().contains("100 messages, and 64 is the most"), texts.getLast());
    }

    /** An error of the text's making would come again and again. */
    @Test
    void whatOverflowsTheStackIsADeadLetterAndTheNextIsSent() {
        AtomicInteger cuts = new AtomicInteger();
        platform.cutter(
                markdown -> {
                    if (markdown.equals("deep")) {
                        cuts.incrementAndGet();
                        throw new StackOverflowError("of a pattern");
                    }
                    return List.of(markdown);
                });
        String deep = put("a", "deep");
        String next = put("a", "next");
        start(LOOKS_UP);
        OutboxRow dead = awaitState(deep, OutboxRow.State.FAILED);
        assertEquals(
                "it cannot be sent: java.lang.StackOverflowError: of a pattern",
                dead.progress().reason());
        awaitState(next, OutboxRow.State.SENT);
        assertEquals(1, cuts.get());
    }

    /** As while the bundle of a connector is replaced. */
    @Test
    void anErrorThatIsNotOfTheMessageCostsItNothingAndTimeBetweenTwoTries() {
        AtomicInteger cuts = new AtomicInteger();
        List<Long> tries = new CopyOnWriteArrayList<>();
        platform.cutter(
                markdown -> {
                    tries.add(System.nanoTime());
                    if (cuts.incrementAndGet() <= 2) {
                        throw new NoClassDefFoundError("palyra/connectors/Gone");
                    }
                    return List.of(markdown);
                });
        String id = put("a", "text");
        start(LOOKS_UP);
        awaitState(id, OutboxRow.State.SENT);
        assertTrue(
                TimeUnit.NANOSECONDS.toMillis(tries.get(2) - tries.get(0)) >= 200,
                "it was tried at once: " + tries);
    }

    @Test
    void refusedMessageIsADeadLetterAndTheNextIsSent() {
        platform.fail("a", Fault.REFUSED);
        String refused = put("a", "no");
        String next = put("a", "yes");
        Dispatcher dispatcher = start(LOOKS_UP);
        awaitState(next, OutboxRow.State.SENT);
        OutboxRow dead = awaitState(refused, OutboxRow.State.FAILED);
        assertEquals("the conversation does not exist", dead.progress().reason());
        DeadLetters letters = new DeadLetters(gate, SURFACE::equals);
        assertEquals(List.of(refused), ids(letters.list("", 10)));
        letters.replay(refused, "user:op");
        dispatcher.wake();
        awaitState(refused, OutboxRow.State.SENT);
        assertEquals(List.of("yes", "no"), platform.texts("a"));
        assertEquals(List.of(), letters.list(SURFACE, 10));
    }

    @Test
    void messagesOfAConnectorThatIsGoneAreListedAndCanBeDiscarded() {
        String waits = put("a", "for whom?");
        DeadLetters there = new DeadLetters(gate, SURFACE::equals);
        assertEquals(List.of(), there.list("", 10));
        assertEquals(List.of(), there.left("", 10));
        DeadLetters gone = new DeadLetters(gate, "other:main"::equals);
        assertEquals(List.of(waits), ids(gone.list("", 10)));
        assertEquals(List.of(waits), ids(gone.left(SURFACE, 10)));
        assertEquals(
                ErrorCode.CONFLICT,
                assertThrows(PalyraException.class, () -> gone.replay(waits, "user:op")).code());
        assertEquals(
                ErrorCode.CONFLICT,
                assertThrows(PalyraException.class, () -> there.discard(waits, "user:op")).code());
        gone.discard(waits, "user:op");
        assertEquals(OutboxRow.State.WITHDRAWN, journal.outbox(waits).orElseThrow().state());
        assertEquals(List.of(), gone.list("", 10));
    }

    private static List<String> ids(List<OutboxRow> rows) {
        return rows.stream().map(OutboxRow::outboxId).toList();
    }

    @Test
    void attemptsAreBoundedAndThosePutOffDoNotCount() {
        Fault[] many = new Fault[12];
        Arrays.fill(many, Fault.RATE_LIMITED);
        platform.fail("a", many);
        String patient = put("a", "patient");
        Fault[] failures = new Fault[5];
        Arrays.fill(failures, Fault.SERVER_ERROR);
        platform.fail("b", failures);
        String failing = put("b", "failing");
        start(LOOKS_UP);
        awaitState(patient, OutboxRow.State.SENT);
        OutboxRow dead = awaitState(failing, OutboxRow.State.FAILED);
        assertEquals("5 attempts failed, the last: the platform failed", dead.progress().reason());
    }

    @Test
    void whatWasSentSaysAfterHowManyAttempts() {
        platform.fail("a", Fault.SERVER_ERROR, Fault.SERVER_ERROR);
        String third = put("a", "third time");
        start(LOOKS_UP);
        assertEquals(3, awaitState(third, OutboxRow.State.SENT).attempts());
    }

    @Test
    void whyTheOldestMessageWaitsIsTold() {
        settings = new DispatchSettings(4, 5, 60_000, 60_000, TimeUnit.HOURS.toMillis(1), false);
        platform.fail("a", Fault.SERVER_ERROR);
        put("a", "waits");
        Dispatcher dispatcher = start(LOOKS_UP);
        Await.until("the reason", () -> dispatcher.waitingReason().equals("the platform failed"));
        assertTrue(dispatcher.oldestMillis() > 0);
    }

    @Test
    void whatCannotBeFoundOutIsHeldOrSentAgainAsConfigured() {
        ConnectorCapabilities blind = ConnectorCapabilities.of(64);
        platform.fail("a", Fault.LOST_ANSWER);
        String unknown = put("a", "once");
        String after = put("a", "next");
        start(blind);
        awaitState(after, OutboxRow.State.SENT);
        assertEquals(OutboxRow.State.UNKNOWN, journal.outbox(unknown).orElseThrow().state());
        assertEquals(List.of("once", "next"), platform.texts("a"));
        settings = new DispatchSettings(4, 5, 10, 50, 0, true);
        platform.fail("b", Fault.LOST_ANSWER);
        String again = put("b", "twice");
        started.getFirst().wake();
        awaitState(again, OutboxRow.State.SENT);
        assertEquals(List.of("twice", "twice"), platform.texts("b"));
    }

    @Test
    void whatIsNotFoundOutNowIsLookedForAgainAndHoldsItsPlace() {
        platform.fail("a", Fault.LOST_ANSWER, Fault.LOST_REQUEST);
        platform.blind(4);
        List<String> ids = Stream.of("one", "two", "three").map(text -> put("a", text)).toList();
        start(LOOKS_UP);
        ids.forEach(id -> awaitState(id, OutboxRow.State.SENT));
        assertEquals(List.of("one", "two", "three"), platform.texts("a"));
        platform.fail("b", Fault.LOST_ANSWER);
        platform.blind(settings.maxAttempts());
        String never = put("b", "never found out");
        started.getFirst().wake();
        awaitState(never, OutboxRow.State.UNKNOWN);
        assertEquals(List.of("never found out"), platform.texts("b"));
    }

    @Test
    void whereRepetitionsAreDroppedWhatMayHaveArrivedIsSentAgain() {
        platform.fail("a", Fault.LOST_ANSWER, Fault.LOST_REQUEST, Fault.THROWN);
        List<String> ids = Stream.of("one", "two").map(text -> put("a", text)).toList();
        start(ConnectorCapabilities.of(64, Feature.DEDUPLICATION));
        ids.forEach(id -> awaitState(id, OutboxRow.State.SENT));
        assertEquals(List.of("one", "two"), platform.texts("a"));
        assertEquals(5, platform.sends());
    }

    /** What was sent between a look at the outbox and the turn of its rows is left alone. */
    @Test
    void aLookThatIsOldByNowSetsNoConversationBack() {
        AtomicReference<Object> old = new AtomicReference<>(); // a page, to be returned once more
        AtomicBoolean again = new AtomicBoolean();
        AtomicInteger conflicts = new AtomicInteger();
        InvocationHandler handler =
                (proxy, method, arguments) -> {
                    try {
                        boolean heads = method.getName().equals("outboxHeads");
                        if (heads && again.getAndSet(false)) {
                            return old.get();
                        }
                        Object result = method.invoke(journal, arguments);
                        if (heads && result instanceof List<?> page && !page.isEmpty()) {
                            old.compareAndSet(null, result);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        if (e.getCause() instanceof PalyraException refusal
                                && refusal.code() == ErrorCode.CONFLICT) {
                            conflicts.incrementAndGet();
                        }
                        throw e.getCause();
                    }
                };
        Journal watched =
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                handler);
        gate.remove(journal);
        gate.add(watched, Map.of());
        String first = put("a", "one");
        Dispatcher dispatcher = start(LOOKS_UP);
        awaitState(first, OutboxRow.State.SENT);
        again.set(true);
        dispatcher.wake();
        Await.until("the old page to be taken", () -> !again.get());
        String second = put("a", "two");
        dispatcher.wake();
        awaitState(second, OutboxRow.State.SENT);
        assertEquals(0, conflicts.get());
        assertEquals(List.of("one", "two"), platform.texts("a"));
    }

    @Test
    void sendOfAnEarlierLifeIsLookedForAndNotRepeated() {
        String id = put("a", "hello");
        platform.fail("a", Fault.LOST_ANSWER);
        // The life before ends between the platform's act and the record of it.
        journal.beforeUnit(
                unit -> {
                    boolean settles =
                            unit.operations().stream()
                                    .anyMatch(
                                            operation ->
                                                    operation instanceof Operation.MoveOutbox move
                                                            && move.from()
                                                                    == OutboxRow.State.SENDING);
                    if (settles) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "gone");
                    }
                });
        Dispatcher first = start(LOOKS_UP);
        Await.until("the platform or the journal to say so", () -> platform.texts("a").size() == 1);
        first.close();
        assertEquals(OutboxRow.State.SENDING, journal.outbox(id).orElseThrow().state());
        journal.beforeUnit(unit -> {});
        start(LOOKS_UP);
        awaitState(id, OutboxRow.State.SENT);
        assertEquals(List.of("hello"), platform.texts("a"));
    }

    @Test
    void onlyTheHolderOfTheLeaseSends() {
        journal.takeLease("channel/" + SURFACE, "boot/other", 600_000);
        String id = put("a", "hello");
        Dispatcher second = start(LOOKS_UP);
        second.wake();
        Await.until("the platform or the journal to say so", () -> !second.view().name().isEmpty());
        assertEquals(OutboxRow.State.PENDING, journal.outbox(id).orElseThrow().state());
        journal.releaseLease("channel/" + SURFACE, "boot/other");
        second.wake();
        awaitState(id, OutboxRow.State.SENT);
    }

    @Test
    void staleSenderRecordsNothing() {
        String id = put("a", "hello");
        journal.beforeUnit(
                unit -> {
                    if (unit.operations().stream()
                            .anyMatch(Operation.MoveOutbox.class::isInstance)) {
                        journal.beforeUnit(other -> {});
                        String owner = journal.lease("channel/" + SURFACE).orElseThrow().owner();
                        journal.releaseLease("channel/" + SURFACE, owner);
                        journal.takeLease("channel/" + SURFACE, "boot/other", 600_000);
                    }
                });
        start(LOOKS_UP);
        Await.until(
                "the platform or the journal to say so",
                () ->
                        journal.lease("channel/" + SURFACE)
                                .filter(lease -> lease.owner().equals("boot/other"))
                                .isPresent());
        started.getFirst().close();
        assertEquals(OutboxRow.State.PENDING, journal.outbox(id).orElseThrow().state());
        assertEquals(0, platform.sends());
    }

    @Test
    void nothingIsSentWhilePausedOrNotReady() {
        paused.set(true);
        String id = put("a", "hello");
        Dispatcher dispatcher = start(LOOKS_UP);
        Await.until(
                "the platform or the journal to say so",
                () -> journal.lease("channel/" + SURFACE).isEmpty());
        Await.until(
                "the age of what waits to be told",
                () ->
                        dispatcher.oldestMillis()
                                == journal.outbox(id).orElseThrow().createdAtMillis());
        paused.set(false);
        platform.state(ConnectorStatus.State.RECONNECTING);
        dispatcher.wake();
        Await.until(
                "the platform or the journal to say so",
                () -> journal.lease("channel/" + SURFACE).isPresent());
        assertEquals(0, platform.sends());
        platform.state(ConnectorStatus.State.READY);
        awaitState(id, OutboxRow.State.SENT);
    }

    @Test
    void expiredMessageIsNotSentAndSaysSo() throws InterruptedException {
        settings = new DispatchSettings(4, 5, 10, 50, 1, false);
        String id = put("a", "old");
        Await.until(
                "the platform or the journal to say so",
                () ->
                        System.currentTimeMillis()
                                > journal.outbox(id).orElseThrow().createdAtMillis() + 1);
        start(LOOKS_UP);
        OutboxRow dead = awaitState(id, OutboxRow.State.FAILED);
        assertTrue(dead.progress().reason().startsWith("expired"), dead.progress().reason());
        assertEquals(0, platform.sends());
    }

    @Test
    void editReplacesTheMessageThatWasSent() {
        String question = put("a", "May I?");
        String end = put("a", "Approved by anna.", question, OutboxRow.State.PENDING);
        start(LOOKS_UP);
        awaitState(end, OutboxRow.State.SENT);
        assertEquals(List.of("Approved by anna."), platform.texts("a"));
    }

    @Test
    void editOfWhatWasNeverSentIsWithdrawn() {
        platform.fail("a", Fault.REFUSED);
        String question = put("a", "May I?");
        String end = put("a", "Approved by anna.", question, OutboxRow.State.PENDING);
        start(LOOKS_UP);
        awaitState(end, OutboxRow.State.WITHDRAWN);
        assertEquals(List.of(), platform.texts("a"));
    }

    @Test
    void messageThatCannotBeReadCostsItselfAlone() {
        String id = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        id,
                                        "",
                                        SURFACE,
                                        "a",
                                        "{}".getBytes(StandardCharsets.UTF_8),
                                        OutboxRow.State.PENDING,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        String next = put("a", "good");
        start(LOOKS_UP);
        awaitState(next, OutboxRow.State.SENT);
        assertEquals(OutboxRow.State.FAILED, journal.outbox(id).orElseThrow().state());
    }

    @Test
    void connectorThatCannotRenderCostsTheMessageAlone() {
        platform.cutter(
                markdown -> {
                    if (markdown.equals("poison")) {
                        throw new IllegalStateException("no");
                    }
                    return List.of(markdown);
                });
        String poison = put("a", "poison");
        String next = put("a", "good");
        start(LOOKS_UP);
        awaitState(next, OutboxRow.State.SENT);
        awaitState(poison, OutboxRow.State.FAILED);
    }

    private String put(Outbound message) {
        String id = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        id,
                                        "",
                                        SURFACE,
                                        message.conversation().id(),
                                        message.bytes(),
                                        OutboxRow.State.PENDING,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
        return id;
    }

    @Test
    void reactionIsMadeOnceThroughFaults() {
        platform.fail("a", Fault.LOST_ANSWER, Fault.LOST_REQUEST, Fault.THROWN);
        start(ConnectorCapabilities.of(64, Feature.REACTIONS));
        String id = put(Outbound.reaction("s", "m1", "👍", Conversation.direct("a")));
        awaitState(id, OutboxRow.State.SENT);
        assertEquals(4, platform.sends());
        assertEquals(Set.of("👍"), platform.reactions("m1"));
        assertEquals(List.of(), platform.posted("a"));
    }

    @Test
    void reactionThatALifeLeftInMidSendIsMadeAgain() {
        String id = put(Outbound.reaction("s", "m1", "👍", Conversation.direct("a")));
        journal.commit(
                Unit.of(
                        new Operation.MoveOutbox(
                                id, OutboxRow.State.PENDING, OutboxRow.State.SENDING)));
        start(ConnectorCapabilities.of(64, Feature.REACTIONS));
        awaitState(id, OutboxRow.State.SENT);
        assertEquals(Set.of("👍"), platform.reactions("m1"));
    }

    @Test
    void connectorIsNeverHandedWhatItDoesNotDeclare() {
        start(ConnectorCapabilities.of(64));
        Conversation where = Conversation.direct("a");
        String reaction = put(Outbound.reaction("s", "m1", "👍", where));
        String message = put(Outbound.ofSkill("s", "first", where));
        String edit = put(Outbound.edit("s", message, "second", where));
        awaitState(edit, OutboxRow.State.FAILED);
        assertEquals(
                "fake:main cannot react to messages",
                awaitState(reaction, OutboxRow.State.FAILED).progress().reason());
        assertEquals(List.of("first"), platform.texts("a"));
        assertEquals(1, platform.sends());
    }

    @Test
    void changeOfASkillReplacesOnePartByOne() {
        start(LOOKS_UP);
        Conversation where = Conversation.direct("a");
        String message = put(Outbound.ofSkill("s", "first", where));
        String long2 = put(Outbound.ofSkill("s", "word ".repeat(20), where));
        String ofParts = put(Outbound.edit("s", long2, "short", where));
        String intoParts = put(Outbound.edit("s", message, "word ".repeat(20), where));
        String edit = put(Outbound.edit("s", message, "second", where));
        awaitState(edit, OutboxRow.State.SENT);
        awaitState(ofParts, OutboxRow.State.FAILED);
        awaitState(intoParts, OutboxRow.State.FAILED);
        assertEquals("second", platform.texts("a").getFirst());
        assertEquals(3, platform.texts("a").size());
    }
}
