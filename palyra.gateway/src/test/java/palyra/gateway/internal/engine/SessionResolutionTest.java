package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunState;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

class SessionResolutionTest {
    private static final String ALICE = "user:alice";

    @TempDir Path state;

    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot");
        gateway = new LightGateway(around, model, "boot/1").awaitReady();
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private ResolvedSession resolve(SessionQuery query) {
        return gateway.host.router().resolveSession(ALICE, query, List.of(permit()));
    }

    private static Operation permit() {
        return new Operation.Append(
                TapeRecord.JOURNAL_STREAM,
                "access_decision",
                1,
                "{}".getBytes(StandardCharsets.UTF_8));
    }

    private static Wanted work() {
        return Wanted.saying("unused");
    }

    private ErrorCode refused(SessionQuery query) {
        return assertThrows(PalyraException.class, () -> resolve(query)).code();
    }

    private long permits() {
        return around.journal().headSeq(TapeRecord.JOURNAL_STREAM);
    }

    private List<SessionView> sessions() {
        return around.journal().sessions("", "", "", 100, true);
    }

    @Test
    void madeOnceWithItsPermitAndFoundAfterwardsWithoutOne() {
        ResolvedSession made = resolve(work().called("My work").query());
        assertTrue(made.created() && !made.reset());
        assertEquals("work", made.session().key());
        assertEquals("My work", made.session().label());
        assertNotEquals(0, made.session().createdAtMillis());
        assertEquals(1, permits());
        ResolvedSession found = resolve(work().called("Ignored").query());
        assertEquals(new ResolvedSession(made.session(), false, false), found);
        assertEquals(found, resolve(work().inId(made.session().sessionId()).query()));
        assertEquals(found, resolve(work().existing().query()));
        assertEquals(1, permits());
    }

    private String agentAfter(String sessionId, String agentId) {
        gateway.submit(
                new SubmittedMessage(
                        "shell", "", sessionId, "", "", "", agentId, "hello", "", false, "", "",
                        true, "", false, null, null));
        return around.journal().session(sessionId).orElseThrow().agentId();
    }

    /** As that of a session does which a message makes. */
    @Test
    void theFirstMessageOfASessionChoosesItsAgentAndNoLaterOneDoes() {
        String chosen = resolve(work().query()).session().sessionId();
        assertEquals("default", agentAfter(chosen, "default"));
        String open = resolve(work().in("open").query()).session().sessionId();
        assertEquals("", agentAfter(open, ""));
        assertEquals("", agentAfter(open, "default"));
    }

    @Test
    void theDefaultSessionIsThatOfDeviceAndChannel() {
        SessionQuery phone = new SessionQuery("", "", "phone", "chat", "", false, false);
        SessionQuery laptop = new SessionQuery("", "", "laptop", "chat", "", false, false);
        SessionView made = resolve(phone).session();
        assertEquals("phone", made.deviceId());
        assertEquals("chat", made.channel());
        assertEquals(made, resolve(phone).session());
        assertNotEquals(made.sessionId(), resolve(laptop).session().sessionId());
        assertEquals(2, permits());
    }

    @Test
    void aResetArchivesAndBeginsAfresh() {
        SessionView old = resolve(work().called("My work").query()).session();
        ResolvedSession byKey = resolve(work().afresh().query());
        assertTrue(byKey.created() && byKey.reset());
        assertEquals("work", byKey.session().key());
        assertNotEquals(old.sessionId(), byKey.session().sessionId());
        assertNotEquals(
                0, around.journal().session(old.sessionId()).orElseThrow().archivedAtMillis());
        ResolvedSession byId = resolve(work().inId(byKey.session().sessionId()).afresh().query());
        assertTrue(byId.reset());
        assertEquals("work", byId.session().key());
        assertEquals(3, permits());
        // There is nothing to archive of a session that was not there.
        ResolvedSession none = resolve(work().in("new").afresh().query());
        assertTrue(none.created() && !none.reset());
    }

    @Test
    void aResetByIdKeepsDeviceAndChannel() {
        SessionView old =
                resolve(new SessionQuery("", "", "phone", "chat", "", false, false)).session();
        SessionView fresh = resolve(work().inId(old.sessionId()).afresh().query()).session();
        assertEquals("phone", fresh.deviceId());
        assertEquals("chat", fresh.channel());
        assertEquals(old.key(), fresh.key());
        assertEquals("", fresh.label());
    }

    @Test
    void aResetIsRefusedWhileARunIsGoing() {
        model.hold();
        Submission going = gateway.submit(work().message());
        Await.until("the turn", () -> model.runningTurns() == 1);
        long before = permits();
        assertEquals(ErrorCode.CONFLICT, refused(work().afresh().query()));
        assertEquals(before, permits());
        assertEquals(1, sessions().size());
        gateway.cancel(going.runId());
        gateway.ended(going.runId());
        assertTrue(resolve(work().afresh().query()).reset());
    }

    @Test
    void aFreshDefaultSessionIsBegunBesideABusyOneAndStaysTheDefaultOne() {
        model.hold();
        Submission going = gateway.submit(work().in("").message());
        Await.until("the turn", () -> model.runningTurns() == 1);
        ResolvedSession fresh = resolve(work().in("").afresh().query());
        assertTrue(fresh.created() && !fresh.reset());
        assertNotEquals(going.sessionId(), fresh.session().sessionId());
        assertEquals(fresh.session(), resolve(work().in("").query()).session());
        assertEquals(
                going.sessionId(),
                resolve(work().inId(going.sessionId()).query()).session().sessionId());
        gateway.cancel(going.runId());
        gateway.ended(going.runId());
        assertEquals(fresh.session(), resolve(work().in("").query()).session());
        ResolvedSession next = resolve(work().in("").afresh().query());
        assertTrue(next.reset(), "the fresh one was idle");
        assertEquals(next.session(), resolve(work().in("").query()).session());
    }

    @Test
    void aMessageToAFreshSessionDoesNotWaitForTheBusyOne() {
        model.hold();
        Submission going = gateway.submit(work().in("").message());
        Await.until("the turn", () -> model.runningTurns() == 1);
        model.answer("other").answer("later");
        Submission other = gateway.submit(work().in("").afresh().message());
        assertEquals(RunState.SUCCEEDED, gateway.ended(other.runId()).state());
        Submission later = gateway.submit(work().in("").message());
        assertEquals(RunState.SUCCEEDED, gateway.ended(later.runId()).state());
        assertNotEquals(going.sessionId(), other.sessionId());
        assertEquals(other.sessionId(), later.sessionId());
        assertEquals(RunState.RUNNING, around.journal().run(going.runId()).orElseThrow().state());
    }

    @Test
    void anArchivedDefaultSessionIsNotFollowedByAnOlderOne() {
        model.hold();
        Submission going = gateway.submit(work().in("").message());
        Await.until("the turn", () -> model.runningTurns() == 1);
        SessionView fresh = resolve(work().in("").afresh().query()).session();
        around.journal().commit(Unit.of(new Operation.ArchiveSession(fresh.sessionId())));
        assertEquals(ErrorCode.NOT_FOUND, refused(work().in("").existing().query()));
        ResolvedSession next = resolve(work().in("").query());
        assertTrue(next.created());
        assertNotEquals(going.sessionId(), next.session().sessionId());
        assertEquals(next.session(), resolve(work().in("").query()).session());
    }

    @Test
    void aResetOfTheDefaultSessionByItsIdKeepsItTheDefaultOne() {
        model.hold();
        gateway.submit(work().in("").message());
        Await.until("the turn", () -> model.runningTurns() == 1);
        SessionView fresh = resolve(work().in("").afresh().query()).session();
        SessionView byId = resolve(work().inId(fresh.sessionId()).afresh().query()).session();
        assertNotEquals(fresh.sessionId(), byId.sessionId());
        assertEquals(byId, resolve(work().in("").query()).session());
    }

    @Test
    void whatIsNotThereOrNotOnesOwnIsNotFound() {
        SessionView foreign =
                gateway.host
                        .router()
                        .resolveSession("user:bob", work().query(), List.of())
                        .session();
        String unknown = "01J00000000000000000000000";
        for (String sessionId : List.of(foreign.sessionId(), unknown)) {
            assertEquals(ErrorCode.NOT_FOUND, refused(work().inId(sessionId).query()));
            assertEquals(ErrorCode.NOT_FOUND, refused(work().inId(sessionId).afresh().query()));
        }
        assertEquals(ErrorCode.NOT_FOUND, refused(work().existing().query()));
        assertEquals(ErrorCode.NOT_FOUND, refused(work().existing().afresh().query()));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused(work().in("~x").query()));
        SessionView archived = resolve(work().query()).session();
        around.journal().commit(Unit.of(new Operation.ArchiveSession(archived.sessionId())));
        assertEquals(ErrorCode.NOT_FOUND, refused(work().inId(archived.sessionId()).query()));
        assertEquals(ErrorCode.NOT_FOUND, refused(work().existing().query()));
        assertEquals(1, permits());
    }

    @Test
    void manyWhoAskForTheSameSessionGetTheSame() throws Exception {
        List<ResolvedSession> answers = Race.of(12, () -> resolve(work().query()));
        assertEquals(1, answers.stream().map(a -> a.session().sessionId()).distinct().count());
        assertEquals(1, answers.stream().filter(ResolvedSession::created).count());
        assertEquals(1, sessions().size());
        assertEquals(1, permits());
    }
}
