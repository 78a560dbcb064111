package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.transport.grpc.internal.service.Refusals.assertInvalid;
import static palyra.transport.grpc.internal.service.Refusals.assertRefused;

import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.model.ModelEvent;
import palyra.transport.grpc.internal.wire.gateway.CleanupSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.CleanupSessionResponse;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsResponse;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionRequest;
import palyra.transport.grpc.internal.wire.gateway.ResolveSessionResponse;
import palyra.transport.grpc.internal.wire.gateway.SessionSummary;

class SessionCallsTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client alice;
    private Client bob;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state).engineComes();
        alice = gateway.client("user:alice", "integrator");
        bob = gateway.client("user:bob", "integrator");
    }

    @AfterEach
    void close() {
        alice.close();
        bob.close();
        gateway.close();
    }

    private static ResolveSessionRequest.Builder key(String key) {
        return ResolveSessionRequest.newBuilder().setV(1).setSessionKey(key);
    }

    private ResolveSessionResponse resolve(ResolveSessionRequest.Builder request) {
        return alice.call().resolveSession(request.build());
    }

    @Test
    void saysThatASessionKeyIsIgnoredBesideASessionId() {
        ResolveSessionResponse made = resolve(key("work"));
        assertFalse(made.getSessionKeyIgnored());
        ResolveSessionResponse both =
                resolve(key("other").setSessionId(made.getSession().getSessionId()));
        assertEquals("work", both.getSession().getSessionKey());
        assertTrue(both.getSessionKeyIgnored());
    }

    @Test
    void makesASessionOnce() {
        ResolveSessionResponse made = resolve(key("work").setSessionLabel("My work"));
        assertTrue(made.getCreated());
        assertFalse(made.getResetApplied());
        assertEquals("work", made.getSession().getSessionKey());
        assertEquals("My work", made.getSession().getSessionLabel());
        assertEquals("user:alice", made.getSession().getPrincipal());
        assertEquals(0, made.getSession().getArchivedAtUnixMs());
        ResolveSessionResponse found = resolve(key("work"));
        assertFalse(found.getCreated());
        assertEquals(made.getSession(), found.getSession());
        assertEquals(
                made.getSession(),
                resolve(
                                ResolveSessionRequest.newBuilder()
                                        .setV(1)
                                        .setSessionId(made.getSession().getSessionId()))
                        .getSession());
    }

    @Test
    void knowsTheDefaultSessionByDeviceAndChannel() {
        String device = Ids.next();
        alice.with("x-palyra-device-id", device).with("x-palyra-channel", "cli");
        SessionSummary session = resolve(ResolveSessionRequest.newBuilder().setV(1)).getSession();
        assertEquals(device, session.getDeviceId());
        assertEquals("cli", session.getChannel());
    }

    @Test
    void failsInsteadOfMakingASessionThatMustExist() {
        assertRefused(Status.Code.NOT_FOUND, () -> resolve(key("work").setRequireExisting(true)));
        assertEquals(0, list(alice, "").size());
    }

    @Test
    void beginsAFreshSessionOnReset() {
        SessionSummary old = resolve(key("work")).getSession();
        ResolveSessionResponse fresh = resolve(key("work").setResetSession(true));
        assertTrue(fresh.getResetApplied());
        assertFalse(old.getSessionId().equals(fresh.getSession().getSessionId()));
        assertEquals(List.of(fresh.getSession()), list(alice, ""));
    }

    @Test
    void resetsNoSessionWhoseRunIsGoing() {
        gateway.model.hold(new ModelEvent.TextDelta("Busy"));
        StreamClient stream = alice.stream().send(StreamClient.saying("Hi").setSessionKey("work"));
        stream.awaitText("Busy");
        assertRefused(
                Status.Code.FAILED_PRECONDITION, () -> resolve(key("work").setResetSession(true)));
        assertRefused(Status.Code.FAILED_PRECONDITION, () -> cleanup(byKey("work")));
        stream.cancel();
    }

    @Test
    void knowsNoSessionOfSomebodyElse() {
        SessionSummary mine = resolve(key("work")).getSession();
        assertRefused(
                Status.Code.NOT_FOUND,
                () ->
                        bob.call()
                                .resolveSession(
                                        ResolveSessionRequest.newBuilder()
                                                .setV(1)
                                                .setSessionId(mine.getSessionId())
                                                .build()));
        assertRefused(Status.Code.NOT_FOUND, () -> bob.call().cleanupSession(byId(mine).build()));
        assertEquals(0, list(bob, "").size());
        assertEquals(List.of(mine), list(alice, ""));
    }

    private static List<SessionSummary> list(Client client, String text) {
        return client.call()
                .listSessions(ListSessionsRequest.newBuilder().setV(1).setQ(text).build())
                .getSessionsList();
    }

    @Test
    void listsSessionsInPages() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.addFirst(resolve(key("k" + i)).getSession().getSessionId().getUlid());
        }
        List<String> found = new ArrayList<>();
        ListSessionsRequest.Builder request = ListSessionsRequest.newBuilder().setV(1).setLimit(2);
        do {
            ListSessionsResponse page = alice.call().listSessions(request.build());
            page.getSessionsList().forEach(session -> found.add(session.getSessionId().getUlid()));
            request.setAfterSessionKey(page.getNextAfterSessionKey());
        } while (!request.getAfterSessionKey().isEmpty());
        assertEquals(made, found);
    }

    @Test
    void findsSessionsByAPartOfKeyOrLabel() {
        SessionSummary one = resolve(key("alpha").setSessionLabel("Beta 100%")).getSession();
        SessionSummary two = resolve(key("gamma")).getSession();
        assertEquals(List.of(one), list(alice, "ALPH"));
        assertEquals(List.of(one), list(alice, "beta"));
        assertEquals(List.of(one), list(alice, "0%"));
        assertEquals(List.of(two, one), list(alice, "a"));
        assertEquals(List.of(), list(alice, "%x"));
        assertEquals(List.of(), list(alice, "_lpha"));
    }

    private static CleanupSessionRequest.Builder byKey(String key) {
        return CleanupSessionRequest.newBuilder().setV(1).setSessionKey(key);
    }

    private static CleanupSessionRequest.Builder byId(SessionSummary session) {
        return CleanupSessionRequest.newBuilder().setV(1).setSessionId(session.getSessionId());
    }

    private CleanupSessionResponse cleanup(CleanupSessionRequest.Builder request) {
        return alice.call().cleanupSession(request.build());
    }

    @Test
    void archivesASessionOnceAndCountsItsRuns() {
        gateway.model.answer("1").answer("2");
        for (String text : List.of("a", "b")) {
            alice.stream().send(StreamClient.saying(text).setSessionKey("work")).awaitCompleted();
        }
        CleanupSessionResponse first = cleanup(byKey("work"));
        assertTrue(first.getCleaned());
        assertTrue(first.getNewlyArchived());
        assertEquals("work", first.getPreviousSessionKey());
        assertEquals(2, first.getRunCount());
        assertTrue(first.getSession().getArchivedAtUnixMs() > 0);
        assertEquals("", first.getSession().getSessionKey());
        CleanupSessionResponse again = cleanup(byId(first.getSession()));
        assertFalse(again.getCleaned());
        assertFalse(again.getNewlyArchived());
        assertEquals(2, again.getRunCount());
        assertEquals(0, list(alice, "").size());
        assertRefused(Status.Code.NOT_FOUND, () -> cleanup(byKey("work")));
        assertEquals(
                1,
                alice.call()
                        .listSessions(
                                ListSessionsRequest.newBuilder()
                                        .setV(1)
                                        .setIncludeArchived(true)
                                        .build())
                        .getSessionsCount());
    }

    @Test
    void refusesWhatCannotBeUnderstood() {
        assertInvalid("v is 0", () -> resolve(key("work").setV(0)));
        assertInvalid(
                "session_id", () -> resolve(key("work").setSessionId(ApiMapper.id("not-an-id"))));
        assertInvalid("session_key", () -> resolve(key("k".repeat(257))));
        assertInvalid("session key", () -> resolve(key("~mine")));
        assertInvalid("session label", () -> resolve(key("k").setSessionLabel("l".repeat(257))));
        assertInvalid("neither", () -> cleanup(CleanupSessionRequest.newBuilder().setV(1)));
        assertInvalid("both", () -> cleanup(byKey("work").setSessionId(ApiMapper.id(Ids.next()))));
        assertInvalid("v is 0", () -> cleanup(byKey("work").setV(0)));
        ListSessionsRequest list = ListSessionsRequest.newBuilder().setV(1).build();
        assertInvalid(
                "limit", () -> alice.call().listSessions(list.toBuilder().setLimit(501).build()));
        assertInvalid(
                "after_session_key",
                () ->
                        alice.call()
                                .listSessions(list.toBuilder().setAfterSessionKey("work").build()));
        assertInvalid(
                "q has 257",
                () -> alice.call().listSessions(list.toBuilder().setQ("q".repeat(257)).build()));
        assertRefused(
                Status.Code.NOT_FOUND,
                () ->
                        cleanup(
                                CleanupSessionRequest.newBuilder()
                                        .setV(1)
                                        .setSessionId(ApiMapper.id(Ids.next()))));
    }

    @Test
    void deniesAViewerToChangeSessions() {
        try (Client viewer = gateway.client("user:vera", "viewer")) {
            assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    () -> viewer.call().resolveSession(key("work").build()));
        }
    }
}
