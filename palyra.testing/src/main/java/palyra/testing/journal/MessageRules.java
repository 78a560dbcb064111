package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.run.RunState;

/** Messages in, answers out, durable commands. */
interface MessageRules extends Rules {
    private static InboxRow message(String id, String surface, String dedupeKey) {
        return new InboxRow(
                id, surface, dedupeKey, ALICE, Rules.json("hi"), InboxRow.State.QUEUED, "", "", 0);
    }

    private static OutboxRow answer(String id, String surface) {
        return new OutboxRow(
                id, "run-1", surface, Rules.json("a"), OutboxRow.State.PENDING, 0, 0, 0);
    }

    private static CommandRow command(String id) {
        return new CommandRow(
                id, CommandRow.CANCEL_RUN, "run-1", ALICE, Rules.json("c"), false, "", 0);
    }

    @Test
    default void messageIsAcceptedOnceForEachIdOfItsSurface() {
        String id = IDS.next();
        commit(new Operation.PutInbox(message(id, "chat", "42")));
        InboxRow found = journal().inbox(id).orElseThrow();
        assertEquals("42", found.dedupeKey());
        assertEquals(clock().millis(), found.createdAtMillis());
        assertArrayEquals(Rules.json("hi"), found.payload());
        ErrorCode taken = ErrorCode.ALREADY_EXISTS;
        Rules.refused(
                taken, () -> commit(new Operation.PutInbox(message(IDS.next(), "chat", "42"))));
        Rules.refused(taken, () -> commit(new Operation.PutInbox(message(id, "chat", "43"))));
        commit(new Operation.PutInbox(message(IDS.next(), "other", "42")));
        commit(new Operation.PutInbox(message(IDS.next(), "chat", "")));
        commit(new Operation.PutInbox(message(IDS.next(), "chat", "")));
    }

    @Test
    default void messageIsSettledOnce() {
        String routed = IDS.next();
        String rejected = IDS.next();
        commit(
                new Operation.PutInbox(message(routed, "chat", "1")),
                new Operation.PutInbox(message(rejected, "chat", "2")));
        commit(new Operation.SettleInbox(routed, InboxRow.State.ROUTED, "run-1", ""));
        commit(new Operation.SettleInbox(rejected, InboxRow.State.REJECTED, "", "no agent"));
        assertEquals("run-1", journal().inbox(routed).orElseThrow().runId());
        assertEquals("no agent", journal().inbox(rejected).orElseThrow().reason());
        assertEquals(List.of(), journal().inboxIn(InboxRow.State.QUEUED, "", 10));
        Rules.refused(
                ErrorCode.CONFLICT,
                () ->
                        commit(
                                new Operation.SettleInbox(
                                        routed, InboxRow.State.REJECTED, "", "again")));
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                new Operation.SettleInbox(
                                        "none", InboxRow.State.ROUTED, "run-1", "")));
    }

    private static InboxRow wanting(String runId, String dedupeKey) {
        return new InboxRow(
                IDS.next(),
                "chat",
                dedupeKey,
                ALICE,
                Rules.json("hi"),
                InboxRow.State.QUEUED,
                runId,
                "",
                0);
    }

    private static InboxRow routed(String runId) {
        return new InboxRow(
                IDS.next(),
                "chat",
                "",
                ALICE,
                Rules.json("hi"),
                InboxRow.State.ROUTED,
                runId,
                "",
                0);
    }

    @Test
    default void runThatAMessageAsksForIsItsOwn() {
        ErrorCode taken = ErrorCode.ALREADY_EXISTS;
        String wanted = IDS.next();
        InboxRow first = wanting(wanted, "");
        commit(new Operation.PutInbox(first));
        assertEquals(wanted, journal().inbox(first.messageId()).orElseThrow().runId());
        Rules.refused(taken, () -> commit(new Operation.PutInbox(wanting(wanted, ""))));
        Rules.refused(taken, () -> commit(new Operation.PutInbox(wanting(wanted, "k"))));
        Rules.refused(taken, () -> commit(new Operation.PutInbox(routed(wanted))));
        String sessionId = newSession();
        commit(
                new Operation.SettleInbox(first.messageId(), InboxRow.State.ROUTED, wanted, ""),
                Rules.insertRun(wanted, sessionId, RunState.ACCEPTED));
        Rules.refused(taken, () -> commit(new Operation.PutInbox(wanting(wanted, ""))));
        String foreign = newRun(sessionId, RunState.ACCEPTED);
        Rules.refused(taken, () -> commit(new Operation.PutInbox(wanting(foreign, ""))));
    }

    @Test
    default void runThatARejectedMessageAskedForIsFreeAgain() {
        String wanted = IDS.next();
        InboxRow first = wanting(wanted, "");
        commit(new Operation.PutInbox(first));
        commit(
                new Operation.SettleInbox(
                        first.messageId(), InboxRow.State.REJECTED, "", "no agent"));
        commit(new Operation.PutInbox(wanting(wanted, "")));
    }

    @Test
    default void queuedMessagesArePagedFromTheOldest() {
        List<String> ids = List.of(IDS.next(), IDS.next(), IDS.next());
        ids.forEach(id -> commit(new Operation.PutInbox(message(id, "chat", id))));
        List<InboxRow> first = journal().inboxIn(InboxRow.State.QUEUED, "", 2);
        assertEquals(ids.subList(0, 2), first.stream().map(InboxRow::messageId).toList());
        List<InboxRow> next = journal().inboxIn(InboxRow.State.QUEUED, ids.get(1), 2);
        assertEquals(ids.subList(2, 3), next.stream().map(InboxRow::messageId).toList());
    }

    @Test
    default void sendsAreCountedAndMoveOneStepAtATime() {
        String id = IDS.next();
        commit(new Operation.PutOutbox(answer(id, "chat")));
        Operation begin =
                new Operation.MoveOutbox(id, OutboxRow.State.PENDING, OutboxRow.State.SENDING);
        commit(begin);
        Rules.refused(ErrorCode.CONFLICT, () -> commit(begin));
        commit(new Operation.MoveOutbox(id, OutboxRow.State.SENDING, OutboxRow.State.PENDING));
        commit(begin);
        clock().advance(3);
        commit(new Operation.MoveOutbox(id, OutboxRow.State.SENDING, OutboxRow.State.SENT));
        OutboxRow found = journal().outboxOf("run-1").getFirst();
        assertEquals(2, found.attempts());
        assertEquals(OutboxRow.State.SENT, found.state());
        assertEquals(clock().millis(), found.updatedAtMillis());
        Rules.refused(
                ErrorCode.ALREADY_EXISTS, () -> commit(new Operation.PutOutbox(answer(id, "x"))));
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                new Operation.MoveOutbox(
                                        "none", OutboxRow.State.PENDING, OutboxRow.State.SENDING)));
    }

    @Test
    default void answersArePagedBySurface() {
        List<String> ids = List.of(IDS.next(), IDS.next(), IDS.next());
        commit(
                new Operation.PutOutbox(answer(ids.get(0), "chat")),
                new Operation.PutOutbox(answer(ids.get(1), "mail")),
                new Operation.PutOutbox(answer(ids.get(2), "chat")));
        assertEquals(
                List.of(ids.get(0), ids.get(2)),
                outboxIds(journal().outboxIn(OutboxRow.State.PENDING, "chat", "", 10)));
        assertEquals(
                ids.subList(1, 3),
                outboxIds(journal().outboxIn(OutboxRow.State.PENDING, "", ids.get(0), 10)));
        assertEquals(List.of(), journal().outboxIn(OutboxRow.State.SENT, "", "", 10));
    }

    private static OutboxRow part(String id, String conversation) {
        return new OutboxRow(
                id,
                "",
                "chat",
                conversation,
                Rules.json("a"),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }

    @Test
    default void headsAreTheFirstOpenAnswerOfEachConversation() {
        List<String> ids = List.of(IDS.next(), IDS.next(), IDS.next(), IDS.next());
        commit(
                new Operation.PutOutbox(part(ids.get(0), "b")),
                new Operation.PutOutbox(part(ids.get(1), "a")),
                new Operation.PutOutbox(part(ids.get(2), "b")),
                new Operation.PutOutbox(answer(ids.get(3), "chat")));
        assertEquals(
                List.of(ids.get(1), ids.get(0)), outboxIds(journal().outboxHeads("chat", "", 10)));
        assertEquals(List.of(ids.get(1)), outboxIds(journal().outboxHeads("chat", "", 1)));
        assertEquals(List.of(ids.get(0)), outboxIds(journal().outboxHeads("chat", "a", 10)));
        assertEquals(List.of(), journal().outboxHeads("mail", "", 10));
        OutboxRow.State sending = OutboxRow.State.SENDING;
        commit(new Operation.MoveOutbox(ids.get(0), OutboxRow.State.PENDING, sending));
        assertEquals(
                List.of(ids.get(1), ids.get(0)), outboxIds(journal().outboxHeads("chat", "", 10)));
        commit(new Operation.MoveOutbox(ids.get(0), sending, OutboxRow.State.UNKNOWN));
        assertEquals(
                List.of(ids.get(1), ids.get(2)), outboxIds(journal().outboxHeads("chat", "", 10)));
    }

    @Test
    default void progressOfSendingIsKept() {
        String id = IDS.next();
        commit(new Operation.PutOutbox(part(id, "a")));
        OutboxRow.State pending = OutboxRow.State.PENDING;
        OutboxRow.State sending = OutboxRow.State.SENDING;
        OutboxProgress begun = OutboxProgress.NONE.begunBy("one", 7);
        commit(new Operation.MoveOutbox(id, pending, sending, begun));
        assertEquals(begun.withAttempts(1), journal().outbox(id).orElseThrow().progress());
        OutboxProgress later = begun.withAttempts(1).retryAt(5_000, "slow down");
        commit(new Operation.MoveOutbox(id, sending, pending, later));
        commit(new Operation.MoveOutbox(id, pending, sending));
        assertEquals(later.withAttempts(2), journal().outbox(id).orElseThrow().progress());
        OutboxProgress next = later.sent("m/1").sent("m/2");
        commit(new Operation.MoveOutbox(id, sending, OutboxRow.State.SENT, next));
        assertEquals(next, journal().outbox(id).orElseThrow().progress());
        assertEquals(List.of("m/1", "m/2"), next.sentIds());
    }

    @Test
    default void answerIsRewrittenWhileItWaits() {
        String id = IDS.next();
        commit(new Operation.PutOutbox(part(id, "a")));
        byte[] longer = Rules.json("b".repeat(5_000));
        commit(new Operation.RewriteOutbox(id, longer));
        assertArrayEquals(longer, journal().outbox(id).orElseThrow().payload());
        commit(new Operation.MoveOutbox(id, OutboxRow.State.PENDING, OutboxRow.State.SENDING));
        Rules.refused(
                ErrorCode.CONFLICT, () -> commit(new Operation.RewriteOutbox(id, Rules.json("c"))));
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () -> commit(new Operation.RewriteOutbox("none", Rules.json("c"))));
    }

    @Test
    default void ignoredMessageKeepsItsPlaceAndKey() {
        String id = IDS.next();
        InboxRow ignored =
                new InboxRow(
                        id,
                        "chat",
                        "m1",
                        ALICE,
                        Rules.json("-"),
                        InboxRow.State.IGNORED,
                        "",
                        "sender_denied",
                        0,
                        "room",
                        "17");
        commit(new Operation.PutInbox(ignored));
        InboxRow found = journal().inboxByKey("chat", "m1").orElseThrow();
        assertEquals(
                List.of("sender_denied", "room", "17"),
                List.of(found.reason(), found.conversation(), found.sender()));
        assertEquals(List.of(), journal().inboxIn(InboxRow.State.QUEUED, "", 10));
        assertEquals(Optional.empty(), journal().inboxByKey("mail", "m1"));
        assertEquals(Optional.empty(), journal().inboxByKey("chat", ""));
        Rules.refused(
                ErrorCode.ALREADY_EXISTS,
                () -> commit(new Operation.PutInbox(message(IDS.next(), "chat", "m1"))));
    }

    private static InboxRow said(
            String id, String conversation, InboxRow.State state, String reason) {
        return new InboxRow(
                id,
                "chat",
                id,
                ALICE,
                Rules.json("hi"),
                state,
                state == InboxRow.State.ROUTED ? IDS.next() : "",
                reason,
                0,
                conversation,
                "17");
    }

    @Test
    default void conversationIsReadFromItsNewestMessageBack() {
        List<String> ids = IntStream.range(0, 6).mapToObj(i -> IDS.next()).toList();
        InboxRow.State ignored = InboxRow.State.IGNORED;
        InboxRow.State routed = InboxRow.State.ROUTED;
        commit(
                new Operation.PutInbox(said(ids.get(0), "room", routed, "")),
                new Operation.PutInbox(said(ids.get(1), "other", routed, "")),
                new Operation.PutInbox(said(ids.get(2), "room", ignored, "sender_denied")),
                new Operation.PutInbox(said(ids.get(3), "room", ignored, "deleted")),
                new Operation.PutInbox(said(ids.get(4), "room", InboxRow.State.QUEUED, "")),
                new Operation.PutInbox(said(ids.get(5), "room", routed, "")),
                new Operation.PutInbox(message(IDS.next(), "chat", "none")));
        assertEquals(List.of(ids.get(5), ids.get(3), ids.get(0)), inboxIds("chat", "room", "", 10));
        assertEquals(List.of(ids.get(5), ids.get(3)), inboxIds("chat", "room", "", 2));
        assertEquals(List.of(ids.get(0)), inboxIds("chat", "room", ids.get(3), 10));
        assertEquals(List.of(), inboxIds("mail", "room", "", 10));
    }

    private List<String> inboxIds(String surface, String conversation, String before, int limit) {
        return journal().inboxOf(surface, conversation, before, limit).stream()
                .map(InboxRow::messageId)
                .toList();
    }

    @Test
    default void sentAnswersOfAnOrderKeyAreReadFromTheNewestBack() {
        List<String> ids = IntStream.range(0, 4).mapToObj(i -> IDS.next()).toList();
        commit(
                new Operation.PutOutbox(part(ids.get(0), "a")),
                new Operation.PutOutbox(part(ids.get(1), "b")),
                new Operation.PutOutbox(part(ids.get(2), "a")),
                new Operation.PutOutbox(part(ids.get(3), "a")));
        assertEquals(List.of(), journal().outboxSent("chat", "a", "", 10));
        for (String id : ids.subList(0, 3)) {
            OutboxRow.State sending = OutboxRow.State.SENDING;
            commit(
                    new Operation.MoveOutbox(id, OutboxRow.State.PENDING, sending),
                    new Operation.MoveOutbox(id, sending, OutboxRow.State.SENT));
        }
        assertEquals(
                List.of(ids.get(2), ids.get(0)),
                outboxIds(journal().outboxSent("chat", "a", "", 10)));
        assertEquals(
                List.of(ids.get(0)), outboxIds(journal().outboxSent("chat", "a", ids.get(2), 10)));
        assertEquals(List.of(ids.get(2)), outboxIds(journal().outboxSent("chat", "a", "", 1)));
    }

    private static List<String> outboxIds(List<OutboxRow> rows) {
        return rows.stream().map(OutboxRow::outboxId).toList();
    }

    @Test
    default void commandWaitsUntilItIsDoneOnce() {
        List<String> ids = List.of(IDS.next(), IDS.next());
        ids.forEach(id -> commit(new Operation.PutCommand(command(id))));
        assertEquals(
                ids,
                journal().pendingCommands("", 10).stream().map(CommandRow::commandId).toList());
        commit(new Operation.FinishCommand(ids.get(0), "cancelled"));
        assertEquals(ids.get(1), journal().pendingCommands("", 10).getFirst().commandId());
        assertTrue(journal().pendingCommands(ids.get(1), 10).isEmpty());
        Rules.refused(
                ErrorCode.CONFLICT, () -> commit(new Operation.FinishCommand(ids.get(0), "again")));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(new Operation.FinishCommand("none", "x")));
        Rules.refused(
                ErrorCode.ALREADY_EXISTS,
                () -> commit(new Operation.PutCommand(command(ids.get(0)))));
    }
}
