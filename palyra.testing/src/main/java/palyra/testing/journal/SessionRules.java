package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;

/** Sessions. */
interface SessionRules extends Rules {
    @Test
    default void sessionIsKeptAsGivenWithTheStoresTimes() {
        String sessionId = IDS.next();
        commit(new Operation.InsertSession(Rules.sessionView(sessionId, "home")));
        long now = clock().millis();
        SessionView expected =
                new SessionView(
                        sessionId, "home", "Label", ALICE, "phone", "chat", "main", now, now, 0,
                        "");
        assertEquals(expected, journal().session(sessionId).orElseThrow());
        assertEquals(expected, journal().sessionByKey(ALICE, "home").orElseThrow());
        assertTrue(journal().sessionByKey("user:bob", "home").isEmpty());
        assertTrue(journal().sessionByKey(ALICE, "").isEmpty());
    }

    @Test
    default void idAndKeyOfASessionAreTakenOnce() {
        String sessionId = IDS.next();
        commit(new Operation.InsertSession(Rules.sessionView(sessionId, "home")));
        Rules.refused(
                ErrorCode.ALREADY_EXISTS,
                () -> commit(new Operation.InsertSession(Rules.sessionView(sessionId, "other"))));
        Rules.refused(
                ErrorCode.ALREADY_EXISTS,
                () -> commit(new Operation.InsertSession(Rules.sessionView(IDS.next(), "home"))));
        commit(new Operation.InsertSession(Rules.sessionView(IDS.next(), "")));
        commit(new Operation.InsertSession(Rules.sessionView(IDS.next(), "")));
    }

    @Test
    default void archivingFreesTheKeyAndHidesTheSession() {
        String sessionId = IDS.next();
        commit(new Operation.InsertSession(Rules.sessionView(sessionId, "home")));
        clock().advance(5);
        commit(new Operation.ArchiveSession(sessionId));
        commit(new Operation.ArchiveSession(sessionId));
        assertEquals(
                clock().millis(), journal().session(sessionId).orElseThrow().archivedAtMillis());
        assertTrue(journal().sessionByKey(ALICE, "home").isEmpty());
        assertEquals(List.of(), journal().sessions(ALICE, "", "", 10, false));
        assertEquals(List.of(), journal().sessions("", "", "", 10, false));
        assertEquals(1, journal().sessions(ALICE, "", "", 10, true).size());
        commit(new Operation.InsertSession(Rules.sessionView(IDS.next(), "home")));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(Rules.insertRun(IDS.next(), sessionId, RunState.ACCEPTED)));
        Rules.refused(
                ErrorCode.CONFLICT, () -> commit(new Operation.BindSession(sessionId, "other")));
    }

    @Test
    default void sessionWithAnOpenRunIsNotArchived() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.ACCEPTED);
        Rules.refused(ErrorCode.CONFLICT, () -> commit(new Operation.ArchiveSession(sessionId)));
        commit(Rules.move(runId, RunState.CANCELLED));
        commit(new Operation.ArchiveSession(sessionId));
    }

    @Test
    default void bindingChangesTheAgentAndNothingElse() {
        String sessionId = newSession();
        commit(new Operation.BindSession(sessionId, "other"));
        assertEquals("other", journal().session(sessionId).orElseThrow().agentId());
        commit(new Operation.BindSession(sessionId, ""));
        assertEquals("", journal().session(sessionId).orElseThrow().agentId());
        Rules.refused(
                ErrorCode.NOT_FOUND, () -> commit(new Operation.BindSession("none", "other")));
    }

    private String newSession(String key, String label) {
        String sessionId = IDS.next();
        commit(
                new Operation.InsertSession(
                        new SessionView(sessionId, key, label, ALICE, "", "", "", 0, 0, 0, "")));
        return sessionId;
    }

    private List<String> found(String text, String beforeId, int limit) {
        return journal().sessions(ALICE, text, beforeId, limit, true).stream()
                .map(SessionView::sessionId)
                .toList();
    }

    @Test
    default void sessionsAreFoundByTextInKeyOrLabel() {
        String travel = newSession("travel", "Rome in May");
        String percent = newSession("50%_off\\deal", "");
        String umlaut = newSession("\u00c9t\u00e9", "may be");
        assertEquals(List.of(umlaut, travel), found("MAY", "", 10));
        assertEquals(List.of(travel), found("rav", "", 10));
        // Characters that are special in pattern languages are literal.
        assertEquals(List.of(percent), found("%", "", 10));
        assertEquals(List.of(percent), found("_OFF\\", "", 10));
        assertEquals(List.of(), found("t_a", "", 10));
        assertEquals(List.of(), found("*", "", 10));
        // Letter case is ignored for a to z alone.
        assertEquals(List.of(umlaut), found("\u00c9", "", 10));
        assertEquals(List.of(), found("\u00e9t", "", 10));
        assertEquals(List.of(), found("nowhere", "", 10));
        assertEquals(List.of(umlaut), found("may", "", 1));
        assertEquals(List.of(travel), found("may", umlaut, 1));
        assertEquals(List.of(), found("may", travel, 1));
        assertEquals(List.of(), journal().sessions("user:bob", "may", "", 10, true));
        assertEquals(2, journal().sessions("", "may", "", 10, true).size());
        commit(new Operation.ArchiveSession(travel));
        assertEquals(List.of(travel), found("rome", "", 10));
        assertEquals(List.of(), journal().sessions(ALICE, "rome", "", 10, false));
    }

    @Test
    default void sessionsArePagedFromTheNewest() {
        List<String> ids = List.of(newSession(), newSession(), newSession(), newSession());
        List<SessionView> first = journal().sessions("", "", "", 3, true);
        assertEquals(
                List.of(ids.get(3), ids.get(2), ids.get(1)),
                first.stream().map(SessionView::sessionId).toList());
        List<SessionView> next =
                journal().sessions(ALICE, "", first.getLast().sessionId(), 3, false);
        assertEquals(List.of(ids.get(0)), next.stream().map(SessionView::sessionId).toList());
        assertEquals(List.of(), journal().sessions("user:bob", "", "", 3, true));
    }
}
