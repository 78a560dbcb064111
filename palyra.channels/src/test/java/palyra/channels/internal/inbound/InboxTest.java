package palyra.channels.internal.inbound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.Approvals;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.MessageRules;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.TestRules;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.channel.Outbound;
import palyra.shared.channel.Positions;
import palyra.shared.gate.Gate;
import palyra.shared.run.SubmissionCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** The gateway is away in these tests, so what is to be answered waits in the inbox. */
final class InboxTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");
    private static final Conversation DIRECT = Conversation.direct("dm");
    private static final Conversation ROOM = Conversation.group("room", "Room");

    private final ManualClock clock = new ManualClock(1_700_000_000_000L);
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 1_000);
    private final Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
    private static final Principal OPERATOR = FakeAccess.user("user:op", "operator");
    private final Gate<Approvals> approvals =
            new Gate<>("Approvals", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
    private final Pairings pairings = new Pairings(gate, approvals, clock);
    private final FakeAccess rights =
            new FakeAccess(FakeAccess.Use.SPEAK_FOR, FakeAccess.Use.CHANGE, FakeAccess.Use.READ)
                    .connector("service:fake:main");
    private final Map<String, List<String>> awaited = new TreeMap<>();
    private final RouteRules rules = new RouteRules(() -> awaited, Set::of);
    private Inbox inbox;

    @BeforeEach
    void open() {
        direct(RouteRule.DirectMessages.ALLOW);
        gate.add(journal, Map.of());
        access.add(rights, Map.of());
        RunFront front =
                new RunFront(
                        rights,
                        gate,
                        new Gate<>("Feed", ErrorCode.JOURNAL_UNAVAILABLE, 0),
                        new Gate<>("Gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                        new FrontSettings(100, 10));
        runs.add(elsewhere(Runs.class, front), Map.of());
        ApprovalFront answers =
                new ApprovalFront(
                        rights,
                        gate,
                        new Gate<Keys>("Keys", ErrorCode.KEYS_UNAVAILABLE, 0),
                        clock::millis);
        approvals.add(elsewhere(Approvals.class, answers), Map.of());
        Speakers speakers = new Speakers(access);
        Cards cards = new Cards(gate, approvals, speakers, any -> true);
        inbox =
                new Inbox(
                        runs,
                        speakers,
                        gate,
                        rules,
                        pairings,
                        cards,
                        commands(),
                        id -> true,
                        (id, one) -> thread(one));
    }

    private ConversationCommands commands() {
        return new ConversationCommands(
                runs,
                approvals,
                new Gate<AgentRegistry>("Agents", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                access,
                gate,
                clock);
    }

    /** In the product each bundle has gates of its own; here they are one class, so one thread. */
    static <T> T elsewhere(Class<T> type, T front) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            FutureTask<Object> call =
                                    new FutureTask<>(() -> method.invoke(front, arguments));
                            new Thread(call, "front").start();
                            try {
                                return call.get();
                            } catch (ExecutionException e) {
                                throw e.getCause().getCause();
                            }
                        }));
    }

    /** As on a platform where the id of a message is that of its thread; commands have none. */
    private static String thread(InboundMessage message) {
        return message.messageId().startsWith("m") ? message.messageId() : "";
    }

    private void direct(RouteRule.DirectMessages policy) {
        direct(policy, false);
    }

    private void direct(RouteRule.DirectMessages policy, boolean threads) {
        rules.add(
                TestRules.rule(
                        "r",
                        Map.of(
                                "mentionPatterns",
                                new String[] {"helper"},
                                "directMessages",
                                policy.name(),
                                "threads",
                                threads)));
    }

    private static InboundMessage written(String id, Conversation where, String text) {
        return InboundMessage.written(
                id, new Sender("ann", "Ann: A", false, true), where, text, false, 0);
    }

    private static InboundMessage changed(
            InboundMessage.Event event, String id, String revision, String text) {
        return new InboundMessage(
                event,
                id,
                revision,
                new Sender("ann", "Ann", false, true),
                DIRECT,
                "",
                text,
                false,
                Set.of(),
                List.of(),
                0);
    }

    private InboxRow row(Acceptance acceptance) {
        return journal.inbox(acceptance.messageId()).orElseThrow();
    }

    private Acceptance accept(InboundMessage message) {
        return inbox.accept(ID, message, new byte[0]);
    }

    /** Whatever becomes of a message, its position is in the unit that writes it. */
    @Test
    void positionIsKeptInTheUnitOfItsMessage() {
        List<Unit> units = new ArrayList<>();
        journal.beforeUnit(units::add);
        assertEquals(Acceptance.Outcome.STORED, at("1", written("m1", DIRECT, "hello")));
        assertEquals(Acceptance.Outcome.IGNORED, at("2", written("m2", ROOM, "a word")));
        assertEquals(
                Acceptance.Outcome.IGNORED,
                at("3", changed(InboundMessage.Event.DELETED, "m9", "6", "")));
        direct(RouteRule.DirectMessages.PAIRING);
        assertEquals(Acceptance.Outcome.IGNORED, at("4", written("m4", DIRECT, "hello")));
        assertEquals(
                4,
                units.stream()
                        .filter(unit -> has(unit, Operation.PutInbox.class))
                        .filter(unit -> has(unit, Operation.PutDocument.class))
                        .count());
        assertEquals(Acceptance.Outcome.KNOWN, at("5", written("m1", DIRECT, "hello")));
        assertEquals(Acceptance.Outcome.KNOWN, accept(written("m1", DIRECT, "hello")).outcome());
        assertEquals("5", new String(Positions.kept(journal, "fake:main").orElseThrow()));
    }

    private Acceptance.Outcome at(String position, InboundMessage message) {
        byte[] bytes = position.getBytes(StandardCharsets.US_ASCII);
        Acceptance acceptance = inbox.accept(ID, message, bytes);
        assertArrayEquals(bytes, Positions.kept(journal, "fake:main").orElseThrow());
        return acceptance.outcome();
    }

    private static boolean has(Unit unit, Class<? extends Operation> kind) {
        return unit.operations().stream().anyMatch(kind::isInstance);
    }

    @Test
    void positionThatIsTooLongTakesNothingIn() {
        byte[] large = new byte[16_385];
        InboundMessage message = written("m1", DIRECT, "hello");
        assertThrows(PalyraException.class, () -> inbox.accept(ID, message, large));
        assertEquals(List.of(), journal.inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    private static String payload(InboxRow row) {
        return new String(row.payload(), StandardCharsets.UTF_8);
    }

    @Test
    void messageIsStoredOnceHoweverOftenItComes() {
        Acceptance first = accept(written("m1", DIRECT, "hello"));
        assertEquals(Acceptance.Outcome.STORED, first.outcome());
        Acceptance again = accept(written("m1", DIRECT, "hello"));
        assertEquals(new Acceptance(Acceptance.Outcome.KNOWN, first.messageId(), ""), again);
        InboxRow row = row(first);
        assertEquals(InboxRow.State.QUEUED, row.state());
        assertEquals(
                List.of("user:fake:main:ann", "dm", "ann"),
                List.of(row.principal(), row.conversation(), row.sender()));
        assertEquals(1, journal.inboxIn(InboxRow.State.QUEUED, "", 10).size());
    }

    @Test
    void filesAreNamedAndWhatFetchesThemIsKept() {
        Attachment plan = new Attachment("plan.pdf", "application/pdf", 2_048, "ref-1");
        Attachment film = new Attachment("film.mp4", "", -1, "");
        InboundMessage message =
                new InboundMessage(
                        InboundMessage.Event.WRITTEN,
                        "m1",
                        "",
                        new Sender("ann", "Ann", false, true),
                        DIRECT,
                        "",
                        "look",
                        false,
                        Set.of(),
                        List.of(film, plan),
                        0);
        SubmittedMessage stored = SubmissionCodec.message(row(accept(message)).payload());
        assertEquals(List.of(plan), stored.origin().files());
        List<String> lines = stored.text().lines().toList();
        assertEquals("[attached: film.mp4]", lines.get(1));
        assertTrue(
                lines.get(2)
                        .matches(
                                "\\[attached: plan.pdf, application/pdf, 2 KB; fetch with id"
                                        + " [0-9a-f]{8}-1]"),
                lines.get(2));
        assertEquals(
                List.of(),
                SubmissionCodec.message(row(accept(written("m2", DIRECT, "x"))).payload())
                        .origin()
                        .files());
    }

    @Test
    void sameMessageForAnotherPrincipalIsKnownToo() {
        Acceptance first = accept(written("m1", ROOM, "helper"));
        Acceptance again = accept(written("m1", DIRECT, "helper"));
        assertEquals(Acceptance.Outcome.KNOWN, again.outcome());
        assertEquals("service:fake:main:in:room", row(first).principal());
        assertTrue(payload(row(first)).contains("Ann  A: helper"), payload(row(first)));
    }

    /** Whom no rule hears is not answered, whatever the text looks like. */
    @Test
    void aCommandThatNamesNoRequestIsAnsweredToThoseAloneWhoAreHeard() {
        List<String> texts = List.of("/approve x", "/deny 5", "/approve ABCDEF");
        for (String text : texts) {
            Acceptance ignored = accept(written("r" + texts.indexOf(text), ROOM, text));
            assertEquals("no_matching_mention_or_dm_policy", ignored.reason(), text);
        }
        direct(RouteRule.DirectMessages.DENY);
        for (String text : texts) {
            Acceptance denied = accept(written("d" + texts.indexOf(text), DIRECT, text));
            assertEquals("direct_message_denied_by_policy", denied.reason(), text);
        }
        direct(RouteRule.DirectMessages.PAIRING);
        Acceptance stranger = accept(written("p", DIRECT, texts.getFirst()));
        assertEquals("direct_message_pairing_required", stranger.reason());
        assertEquals(1, replies().size(), "the code of the pairing alone: " + replies());
        direct(RouteRule.DirectMessages.ALLOW);
        for (String text : texts) {
            Acceptance heard = accept(written("a" + texts.indexOf(text), DIRECT, text));
            assertEquals("approval_answer", heard.reason(), text);
        }
        assertEquals(4, replies().size(), replies().toString());
        assertTrue(replies().getLast().contains("No request with this code"));
        assertEquals(List.of(), journal.inboxIn(InboxRow.State.QUEUED, "", 10), "for no agent");
        rights.deny("run.start");
        assertEquals("denied_by_policy", accept(written("z", DIRECT, "/deny 5")).reason());
        assertEquals(4, replies().size(), "who may not ask anything is not answered");
    }

    private List<String> replies() {
        return journal.outboxIn(OutboxRow.State.PENDING, ID.toString(), "", 100).stream()
                .map(row -> Outbound.read(row.payload()).text())
                .toList();
    }

    @Test
    void ignoredMessageLeavesItsReasonAndNotItsText() {
        Acceptance ignored = accept(written("m1", ROOM, "a private word"));
        assertEquals("no_matching_mention_or_dm_policy", ignored.reason());
        assertEquals(InboxRow.State.IGNORED, row(ignored).state());
        assertFalse(payload(row(ignored)).contains("private"));
        Acceptance again = accept(written("m1", ROOM, "a private word"));
        assertEquals(Acceptance.Outcome.KNOWN, again.outcome());
    }

    /** As at a start, or while the bundle is replaced: ignored, it would be lost. */
    @Test
    void messageThatComesBeforeItsRuleIsNotTaken() {
        RouteRules later = new RouteRules(() -> Map.of("r", List.of("*")), Set::of);
        Inbox early =
                new Inbox(
                        runs,
                        new Speakers(access),
                        gate,
                        later,
                        pairings,
                        new Cards(
                                gate,
                                new Gate<>("A", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                                new Speakers(access),
                                any -> true),
                        commands(),
                        id -> true,
                        (id, one) -> "");
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> early.accept(ID, written("m1", DIRECT, "hello"), new byte[0]));
        assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, refused.code());
        later.add(rules.router().rules().getFirst());
        assertEquals(
                Acceptance.Outcome.STORED,
                early.accept(ID, written("m1", DIRECT, "hello"), new byte[0]).outcome());
    }

    @Test
    void messageThatIsNotDurableIsNotAccepted() {
        journal.refuseUnits(ErrorCode.DISK_FULL);
        for (Conversation where : List.of(DIRECT, ROOM)) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class, () -> accept(written("m1", where, "hello")));
            assertEquals(ErrorCode.DISK_FULL, refused.code());
        }
    }

    @Test
    void whatPolicyDeniesIsIgnoredWithThatReason() {
        rights.deny("run.start");
        Acceptance denied = accept(written("m1", DIRECT, "hello"));
        assertEquals("denied_by_policy", denied.reason());
    }

    @Test
    void editBeforeTheRunTakesThePlaceOfTheMessage() {
        Acceptance first = accept(written("m1", DIRECT, "one"));
        Acceptance edited = accept(changed(InboundMessage.Event.EDITED, "m1", "5", "two"));
        assertEquals(Acceptance.Outcome.STORED, edited.outcome());
        assertEquals(InboxRow.State.REJECTED, row(first).state());
        assertEquals("edited", row(first).reason());
        assertEquals(
                List.of(edited.messageId()),
                journal.inboxIn(InboxRow.State.QUEUED, "", 10).stream()
                        .map(InboxRow::messageId)
                        .toList());
        assertEquals(
                List.of("", "5"),
                List.of(
                        SubmissionCodec.message(row(first).payload()).origin().revision(),
                        SubmissionCodec.message(row(edited).payload()).origin().revision()));
        Acceptance again = accept(changed(InboundMessage.Event.EDITED, "m1", "5", "two"));
        assertEquals(Acceptance.Outcome.KNOWN, again.outcome());
    }

    /** As when the connector hands an edit in again that could not be kept the first time. */
    @Test
    void editThatCancelledTheRunBeforeIsAnsweredAndOneThatCameTooLateIsNot() {
        Acceptance first = accept(written("m1", DIRECT, "one"));
        ended(first, "r1", RunState.CANCELLED, "The message was edited by its sender.");
        Acceptance edited = accept(changed(InboundMessage.Event.EDITED, "m1", "5", "two"));
        assertEquals(Acceptance.Outcome.STORED, edited.outcome());
        Acceptance second = accept(written("m2", DIRECT, "three"));
        ended(second, "r2", RunState.CANCELLED, "stopped by ann");
        assertEquals(
                "edited_after_start",
                accept(changed(InboundMessage.Event.EDITED, "m2", "5", "four")).reason());
        Acceptance third = accept(written("m3", DIRECT, "five"));
        ended(third, "r3", RunState.SUCCEEDED, "");
        assertEquals(
                "edited_after_start",
                accept(changed(InboundMessage.Event.EDITED, "m3", "5", "six")).reason());
    }

    private void ended(Acceptance message, String runId, RunState state, String reason) {
        String session = "session-" + runId;
        InboxRow row = row(message);
        journal.commit(
                Unit.builder()
                        .add(
                                new Operation.InsertSession(
                                        new SessionView(
                                                session,
                                                session,
                                                "",
                                                row.principal(),
                                                "",
                                                "",
                                                "main",
                                                0,
                                                0,
                                                0,
                                                "")))
                        .add(
                                new Operation.InsertRun(
                                        runId,
                                        session,
                                        row.principal(),
                                        "main",
                                        "interactive",
                                        row.messageId(),
                                        row.surface(),
                                        RunState.ACCEPTED,
                                        0))
                        .add(
                                new Operation.SettleInbox(
                                        row.messageId(), InboxRow.State.ROUTED, runId, ""))
                        .build());
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(
                                runId, EnumSet.of(RunState.ACCEPTED), state, reason)));
    }

    /** While a rule is not in force nothing is taken back, as its edited form cannot be taken. */
    @Test
    void editThatCannotBeTakenNowLeavesTheMessage() {
        Acceptance first = accept(written("m1", DIRECT, "one"));
        awaited.put("new", List.of("fake:main"));
        InboundMessage edit = changed(InboundMessage.Event.EDITED, "m1", "5", "two");
        assertThrows(PalyraException.class, () -> accept(edit));
        assertEquals(InboxRow.State.QUEUED, row(first).state());
        awaited.clear();
        assertEquals(Acceptance.Outcome.STORED, accept(edit).outcome());
        assertEquals("edited", row(first).reason());
    }

    @Test
    void ofSeveralEditsBeforeTheRunTheLastCounts() {
        Acceptance first = accept(written("m1", DIRECT, "one"));
        Acceptance second = accept(changed(InboundMessage.Event.EDITED, "m1", "5", "two"));
        Acceptance third = accept(changed(InboundMessage.Event.EDITED, "m1", "6", "three"));
        assertEquals(Acceptance.Outcome.STORED, third.outcome());
        assertEquals(InboxRow.State.REJECTED, row(first).state());
        assertEquals(InboxRow.State.REJECTED, row(second).state());
        assertEquals(
                List.of(third.messageId()),
                journal.inboxIn(InboxRow.State.QUEUED, "", 10).stream()
                        .map(InboxRow::messageId)
                        .toList());
        accept(changed(InboundMessage.Event.DELETED, "m1", "7", ""));
        assertEquals(InboxRow.State.REJECTED, row(third).state());
    }

    @Test
    void deletedMessageIsWithdrawn() {
        Acceptance first = accept(written("m1", DIRECT, "one"));
        Acceptance deleted = accept(changed(InboundMessage.Event.DELETED, "m1", "6", ""));
        assertEquals("deleted", deleted.reason());
        assertEquals(InboxRow.State.REJECTED, row(first).state());
    }

    @Test
    void strangerGetsOneCodeAndIsAnsweredOnceItIsApproved() {
        direct(RouteRule.DirectMessages.PAIRING);
        Acceptance first = accept(written("m1", DIRECT, "hello"));
        accept(written("m2", DIRECT, "hello?"));
        assertEquals("direct_message_pairing_required", first.reason());
        List<OutboxRow> notices = journal.outboxIn(OutboxRow.State.PENDING, "fake:main", "", 10);
        assertEquals(1, notices.size());
        Pairings.Pairing asked = pairings.list("fake:main").getFirst();
        assertTrue(Outbound.read(notices.getFirst().payload()).text().contains(asked.code()));
        assertEquals(8, asked.code().length());
        assertThrows(PalyraException.class, () -> pairings.decide("00000000", true, 0, OPERATOR));
        pairings.decide(" " + asked.code().toLowerCase(Locale.ROOT), true, 1, OPERATOR);
        assertEquals(Acceptance.Outcome.STORED, accept(written("m3", DIRECT, "now")).outcome());
        clock.advance(3_600_001);
        assertEquals(Acceptance.Outcome.IGNORED, accept(written("m4", DIRECT, "later")).outcome());
        assertEquals(2, journal.outboxIn(OutboxRow.State.PENDING, "fake:main", "", 10).size());
    }

    @Test
    void revokedSenderIsNotAnswered() {
        direct(RouteRule.DirectMessages.PAIRING);
        accept(written("m1", DIRECT, "hello"));
        pairings.decide(pairings.list("").getFirst().code(), true, 0, OPERATOR);
        pairings.revoke("fake:main", "ann", OPERATOR);
        assertEquals(Acceptance.Outcome.IGNORED, accept(written("m2", DIRECT, "hello")).outcome());
    }

    @Test
    void codesAreBoundedAndExpiredOnesGo() {
        direct(RouteRule.DirectMessages.PAIRING);
        for (int i = 0; i < Pairings.MOST_CODES + 5; i++) {
            accept(
                    InboundMessage.written(
                            "m" + i,
                            new Sender("s" + i, "", false, true),
                            Conversation.direct("d" + i),
                            "hi",
                            false,
                            0));
        }
        assertEquals(Pairings.MOST_CODES, pairings.list("").size());
        clock.advance(Pairings.CODE_MILLIS + 1);
        accept(written("late", DIRECT, "hi"));
        assertEquals(1, journal.documents("channel_pairing", "", 100).size());
    }

    private static MessageRules.Ruling.Ignored ignored(MessageRules.Ruling ruling) {
        return assertInstanceOf(MessageRules.Ruling.Ignored.class, ruling);
    }

    /** The surface submits what is routed, so nothing of it is stored here. */
    @Test
    void anotherSurfaceIsToldHowTheRulesRoute() {
        MessageRules.Ruling.Routed routed =
                assertInstanceOf(
                        MessageRules.Ruling.Routed.class,
                        inbox.rule(ID, written("m1", ROOM, "helper"), false));
        assertEquals("service:fake:main:in:room", routed.principal());
        assertEquals("Ann  A: helper", routed.text());
        assertEquals("channel:fake:main:conversation:room", routed.sessionKey());
        assertEquals(List.of(), journal.inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    @Test
    void anotherSurfaceIsToldWhatIsIgnoredAndItIsRecorded() {
        String reason = ignored(inbox.rule(ID, written("m1", ROOM, "a word"), false)).reason();
        assertEquals("no_matching_mention_or_dm_policy", reason);
        InboxRow row = journal.inboxIn(InboxRow.State.IGNORED, "", 10).getFirst();
        assertEquals(reason, row.reason());
        assertEquals(reason, ignored(inbox.rule(ID, written("m1", ROOM, "x"), false)).reason());
        assertEquals(1, journal.inboxIn(InboxRow.State.IGNORED, "", 10).size());
        assertEquals(
                "broadcast_denied_by_policy",
                ignored(inbox.rule(ID, written("m2", ROOM, "helper"), true)).reason());
    }

    /** Nothing sends for it: the code is in the answer, the same one when the answer was lost. */
    @Test
    void anotherSurfaceGetsThePairingCodeToTell() {
        direct(RouteRule.DirectMessages.PAIRING);
        String told = ignored(inbox.rule(ID, written("m1", DIRECT, "hello"), false)).reply();
        assertTrue(told.contains(pairings.list("fake:main").getFirst().code()), told);
        assertEquals(told, ignored(inbox.rule(ID, written("m1", DIRECT, "hello"), false)).reply());
        assertEquals(List.of(), journal.outboxIn(OutboxRow.State.PENDING, "fake:main", "", 10));
        pairings.decide(pairings.list("").getFirst().code(), true, 0, OPERATOR);
        assertInstanceOf(
                MessageRules.Ruling.Routed.class,
                inbox.rule(ID, written("m2", DIRECT, "hello"), false));
    }

    /** Whose the message was, and whether it is answered, is as it was when it was accepted. */
    @Test
    void acceptedMessageOfAnotherSurfaceStaysSoWhenRulesChange() {
        InboundMessage message = written("m1", DIRECT, "hello");
        MessageRules.Ruling.Routed routed = routed(message);
        String accepted = submit("m1", routed);
        assertEquals(routed, inbox.rule(ID, message, false));
        MessageRules.Ruling known =
                new MessageRules.Ruling.Known(
                        routed.principal(), routed.sessionKey(), accepted, "");
        for (RouteRule.DirectMessages changed :
                List.of(RouteRule.DirectMessages.DENY, RouteRule.DirectMessages.PAIRING)) {
            direct(changed);
            assertEquals(known, inbox.rule(ID, message, false));
        }
        rules.router().rules().forEach(rules::remove);
        assertEquals(known, inbox.before(ID, message).orElseThrow());
        assertEquals(List.of(), journal.inboxIn(InboxRow.State.IGNORED, "", 10));
        assertEquals(List.of(), pairings.list(""));
    }

    private MessageRules.Ruling.Routed routed(InboundMessage message) {
        return assertInstanceOf(MessageRules.Ruling.Routed.class, inbox.rule(ID, message, false));
    }

    private String submit(String id, MessageRules.Ruling.Routed routed) {
        SubmittedMessage submitted =
                new SubmittedMessage(
                        ID.toString(),
                        id,
                        "",
                        routed.sessionKey(),
                        "",
                        "",
                        "",
                        routed.text(),
                        "",
                        false);
        Principal sender = new Speakers(access).speakFor(ID, routed.principal());
        return runs.call(front -> front.submit(sender, submitted)).messageId();
    }

    @Test
    void anIdOfAnotherSurfaceBelongsToOneConversationAndSender() {
        InboundMessage message = written("m1", ROOM, "helper");
        submit("m1", routed(message));
        assertInstanceOf(MessageRules.Ruling.Routed.class, inbox.rule(ID, message, false));
        inbox.rule(ID, written("m2", ROOM, "a word"), false);
        for (String id : List.of("m1", "m2")) {
            for (InboundMessage other :
                    List.of(
                            written(id, Conversation.group("hall", "Hall"), "helper"),
                            written(id, DIRECT, "helper"),
                            InboundMessage.written(
                                    id,
                                    new Sender("bob", "Bob", false, true),
                                    ROOM,
                                    "helper",
                                    false,
                                    0))) {
                assertTaken(() -> inbox.rule(ID, other, false));
                assertTaken(() -> inbox.before(ID, other));
            }
        }
        assertEquals(Optional.empty(), inbox.before(ID, written("m3", ROOM, "helper")));
    }

    private static void assertTaken(Executable use) {
        assertEquals(ErrorCode.ALREADY_EXISTS, assertThrows(PalyraException.class, use).code());
    }

    @Test
    void whatAnotherSurfaceIsNotToAnswerNamesItsSession() {
        assertEquals(
                "channel:fake:main:conversation:room",
                ignored(inbox.rule(ID, written("m1", ROOM, "a word"), false)).sessionKey());
    }

    @Test
    void whoWasRevokedGetsNoCodeForAWhile() {
        direct(RouteRule.DirectMessages.PAIRING);
        accept(written("m1", DIRECT, "hello"));
        assertEquals(1, pairings.list("").size());
        pairings.revoke(ID.toString(), "ann", OPERATOR);
        accept(written("m2", DIRECT, "hello?"));
        assertEquals(List.of(), pairings.list(""));
        clock.advance(Pairings.CODE_MILLIS + 1);
        accept(written("m3", DIRECT, "hello again"));
        assertEquals(Pairings.State.ASKED, pairings.list("").getFirst().state());
    }

    @Test
    void theRuleSaysWhatBecomesOfFurtherMessages() {
        rules.add(TestRules.rule("r", Map.of("directMessages", "allow", "whileRunning", "steer")));
        InboxRow row = row(accept(written("m1", DIRECT, "hello")));
        assertEquals(WhileRunning.STEER, SubmissionCodec.message(row.payload()).whileRunning());
    }

    private MessageOrigin origin(Acceptance acceptance) {
        return SubmissionCodec.message(row(acceptance).payload()).origin();
    }

    private String session(Acceptance acceptance) {
        return SubmissionCodec.message(row(acceptance).payload()).sessionKey();
    }

    /** A message to the account begins a thread, which is a session that goes on by itself. */
    @Test
    void answersHaveThreadsAndThreadsGoOn() {
        direct(RouteRule.DirectMessages.ALLOW, true);
        Acceptance first = accept(written("m1", ROOM, "helper, where\nis it? " + "x".repeat(90)));
        Conversation thread = origin(first).conversation();
        assertEquals(ROOM.id(), thread.id());
        assertEquals("m1", thread.thread());
        assertEquals(80, thread.name().length());
        assertTrue(thread.name().startsWith("helper, where is it?"), thread.name());
        Conversation within = new Conversation(ROOM.id(), "m1", false, "");
        Acceptance next = accept(written("m2", within, "and now?"));
        assertEquals(Acceptance.Outcome.STORED, next.outcome());
        assertEquals(session(first), session(next));
        assertEquals(within, origin(next).conversation());
        Acceptance other = accept(written("m3", ROOM, "helper, another matter"));
        assertNotEquals(session(first), session(other));
        assertEquals(Acceptance.Outcome.KNOWN, accept(written("m1", ROOM, "helper")).outcome());
    }

    /** It is about the place where it is given, and is answered there. */
    @Test
    void aCommandBeginsNoThread() {
        direct(RouteRule.DirectMessages.ALLOW, true);
        for (String command : List.of("/status", "/help")) {
            assertEquals(
                    Acceptance.Outcome.IGNORED,
                    accept(written("m-" + command.substring(1), ROOM, "helper " + command))
                            .outcome());
        }
        List<OutboxRow> answers = journal.outboxIn(OutboxRow.State.PENDING, "fake:main", "", 10);
        assertEquals(2, answers.size());
        for (OutboxRow answer : answers) {
            assertEquals(ROOM, Outbound.read(answer.payload()).conversation());
        }
    }

    @Test
    void threadsOfOthersAreNotAnsweredUnlessTheAccountIsAddressed() {
        direct(RouteRule.DirectMessages.ALLOW, true);
        assertEquals(Acceptance.Outcome.IGNORED, accept(written("m1", ROOM, "a word")).outcome());
        for (String thread : List.of("m1", "t7")) {
            Conversation within = new Conversation(ROOM.id(), thread, false, "");
            assertEquals(
                    "no_matching_mention_or_dm_policy",
                    accept(written("in-" + thread, within, "a word")).reason());
            Acceptance asked = accept(written("to-" + thread, within, "helper?"));
            assertEquals(thread, origin(asked).conversation().thread());
        }
    }

    @Test
    void withoutTheSettingOrWhereNoneCanBeginThereAreNoThreads() {
        direct(RouteRule.DirectMessages.ALLOW, true);
        assertEquals("", origin(accept(written("i1", ROOM, "helper"))).conversation().thread());
        assertEquals("", origin(accept(written("m1", DIRECT, "hi"))).conversation().thread());
        Acceptance threaded = accept(written("m2", ROOM, "helper"));
        assertEquals("m2", origin(threaded).conversation().thread());
        rules.remove(rules.router().rules().getFirst());
        direct(RouteRule.DirectMessages.ALLOW, false);
        assertEquals("", origin(accept(written("m3", ROOM, "helper"))).conversation().thread());
        Conversation within = new Conversation(ROOM.id(), "m2", false, "");
        assertEquals(Acceptance.Outcome.IGNORED, accept(written("m4", within, "a word")).outcome());
    }
}
