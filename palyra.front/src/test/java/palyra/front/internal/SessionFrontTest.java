package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.VaultValues;

class SessionFrontTest {
    private static final Principal ALICE = People.person("alice", "integrator");
    private static final Principal BOB = People.person("bob", "integrator");
    private static final Principal VIEWER = People.person("vic", "viewer");
    private static final Principal OPERATOR = People.person("op", "operator");
    private static final long ENOUGH_MILLIS = 60_000;

    @TempDir Path state;
    private final Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Ulids ids = new Ulids();
    private final AtomicInteger asked = new AtomicInteger();
    private Stage stage;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private RunFront front(long absentMillis) {
        return new RunFront(
                stage.access,
                stage.journalGate,
                stage.feedGate,
                intake,
                new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 0),
                new VaultValues(0),
                FrontSettings.defaults(),
                absentMillis);
    }

    private static SessionQuery key(String key) {
        return new SessionQuery("", key, "", "", "", false, false);
    }

    private static SessionQuery id(String sessionId) {
        return new SessionQuery(sessionId, "", "", "", "", false, false);
    }

    private static ErrorCode codeOf(Runnable action) {
        return assertThrows(PalyraException.class, action::run).code();
    }

    /** Finds or makes sessions as a gateway does, after failing so many times. */
    private Intake gateway(int failures, RuntimeException failure) {
        return new FakeIntake() {
            @Override
            public ResolvedSession resolveSession(
                    String principal, SessionQuery query, List<Operation> records) {
                if (asked.incrementAndGet() <= failures) {
                    throw failure;
                }
                Optional<SessionView> found =
                        query.sessionId().isEmpty()
                                ? stage.journal().sessionByKey(principal, query.sessionKey())
                                : stage.journal().session(query.sessionId());
                if (found.isPresent()) {
                    return new ResolvedSession(found.get(), false, false);
                }
                SessionView made =
                        new SessionView(
                                ids.next(),
                                query.sessionKey(),
                                "",
                                principal,
                                "",
                                "",
                                "",
                                0,
                                0,
                                0,
                                "");
                stage.journal()
                        .commit(
                                Unit.builder()
                                        .addAll(records)
                                        .add(new Operation.InsertSession(made))
                                        .build());
                return new ResolvedSession(made, true, false);
            }
        };
    }

    private void gatewayComes() {
        intake.add(gateway(0, null), Map.of());
    }

    @Test
    void refusesASessionKeyWithControlCharacters() {
        gatewayComes();
        RunFront front = front(ENOUGH_MILLIS);
        for (String bad : List.of("a\nb", "\u0007", "a\u202eb")) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.resolveSession(ALICE, key(bad))));
        }
        assertTrue(front.resolveSession(ALICE, key("schön, 日本")).created());
    }

    @Test
    void thePermitIsRecordedWithTheChangeAndOnlyThen() {
        gatewayComes();
        RunFront front = front(ENOUGH_MILLIS);
        ResolvedSession made = front.resolveSession(ALICE, key("work"));
        assertTrue(made.created());
        assertEquals(1, stage.decisions("session.resolve").size());
        assertEquals(
                "work",
                stage.decisions("session.resolve").get(0).path("facts").path("key").asText());
        ResolvedSession found = front.resolveSession(ALICE, key("work"));
        assertEquals(made.session().sessionId(), found.session().sessionId());
        assertEquals(found, front.resolveSession(ALICE, id(made.session().sessionId())));
        assertEquals(1, stage.decisions("session.resolve").size());
    }

    @Test
    void whoMayNotIsRefusedBeforeTheGatewayIsAsked() {
        gatewayComes();
        RunFront front = front(ENOUGH_MILLIS);
        TestRun foreign = new TestRun(stage::journal, BOB.id());
        for (String sessionId : List.of(foreign.sessionId, ids.next())) {
            assertEquals(
                    ErrorCode.NOT_FOUND, codeOf(() -> front.resolveSession(ALICE, id(sessionId))));
        }
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.resolveSession(VIEWER, key("work"))));
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> front.resolveSession(People.person("nobody"), key("work"))));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.resolveSession(ALICE, id("x"))));
        SessionQuery halfAPair = key("a\ud83d");
        assertEquals(
                ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.resolveSession(ALICE, halfAPair)));
        assertEquals(0, asked.get());
        front.resolveSession(OPERATOR, key("work"));
        assertEquals(1, asked.get());
    }

    @Test
    void aGatewayThatIsBeingReplacedIsWaitedFor() throws Exception {
        Thread comes = Thread.ofVirtual().unstarted(this::gatewayComes);
        RunFront front = front(ENOUGH_MILLIS);
        comes.start();
        assertTrue(front.resolveSession(ALICE, key("work")).created());
        comes.join();
    }

    @Test
    void aGatewayThatIsStartingIsAskedAgain() {
        intake.add(
                gateway(3, new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, "starting")),
                Map.of());
        assertTrue(front(ENOUGH_MILLIS).resolveSession(ALICE, key("work")).created());
        assertEquals(4, asked.get());
        assertEquals(1, stage.decisions("session.resolve").size());
    }

    @Test
    void theWaitIsBounded() {
        assertEquals(
                ErrorCode.GATEWAY_UNAVAILABLE,
                codeOf(() -> front(200).resolveSession(ALICE, key("work"))));
        intake.add(
                gateway(
                        Integer.MAX_VALUE,
                        new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, "starting")),
                Map.of());
        assertEquals(
                ErrorCode.GATEWAY_UNAVAILABLE,
                codeOf(() -> front(200).resolveSession(ALICE, key("work"))));
        assertEquals(0, stage.decisions("session.resolve").size());
    }

    @Test
    void aRefusalOfTheGatewayIsTheAnswer() {
        intake.add(gateway(1, new PalyraException(ErrorCode.CONFLICT, "a run goes")), Map.of());
        RunFront front = front(ENOUGH_MILLIS);
        assertEquals(ErrorCode.CONFLICT, codeOf(() -> front.resolveSession(ALICE, key("work"))));
        assertEquals(1, asked.get());
    }

    @Test
    void aGatewayThatBreaksIsNotAskedTwice() {
        intake.add(gateway(1, new IllegalStateException("broken")), Map.of());
        RunFront front = front(ENOUGH_MILLIS);
        assertEquals(ErrorCode.INTERNAL, codeOf(() -> front.resolveSession(ALICE, key("work"))));
        assertEquals(1, asked.get());
    }
}
