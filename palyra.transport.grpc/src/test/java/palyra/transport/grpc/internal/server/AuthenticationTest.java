package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.testing.access.FakeAccess;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc.GatewayServiceBlockingStub;
import palyra.transport.grpc.internal.wire.gateway.HealthRequest;

class AuthenticationTest {
    private static final String DEVICE = "01JD3Z0000000000000000000A";

    @TempDir Path folder;
    private Port port;
    private ManagedChannel channel;

    @BeforeEach
    void open() {
        port = Port.open(new TestSettings(folder).set("failuresPerMinute", 10_000));
        channel = port.plain();
    }

    @AfterEach
    void close() {
        port.close();
    }

    private static Status refused(GatewayServiceBlockingStub stub) {
        StatusRuntimeException refusal =
                assertThrows(StatusRuntimeException.class, () -> Port.whoAmI(stub));
        return refusal.getStatus();
    }

    private void assertRefused(Status.Code code, String words, String... metadata) {
        Status status = refused(Port.stub(channel, metadata));
        assertEquals(code, status.getCode(), status.toString());
        assertTrue(status.getDescription().contains(words), status.getDescription());
        assertEquals(0, port.probe.callers.size());
    }

    @Test
    void knowsTheBearerOfAToken() {
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
        assertEquals(
                "user:bob",
                Port.whoAmI(Port.stub(channel, "authorization", "bearer  palyra_bob ")));
        Caller caller = port.probe.callers.get(0);
        assertEquals("", caller.deviceId());
        assertEquals("", caller.channel());
    }

    @Test
    void refusesWhoShowsNothing() {
        assertRefused(Status.Code.UNAUTHENTICATED, "carries none");
        assertEquals(0, port.access.credentials().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "palyra_alice",
                "Basic palyra_alice",
                "Bearer",
                "Bearer palyra_alice palyra_bob",
                "Bearer palyra_nobody"
            })
    void refusesWhatIsNoGoodToken(String authorization) {
        StatusRuntimeException refusal =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> Port.whoAmI(Port.stub(channel, "authorization", authorization)));
        assertEquals(Status.Code.UNAUTHENTICATED, refusal.getStatus().getCode());
        assertFalse(refusal.toString().contains("alice"), refusal.toString());
        assertEquals("UNAUTHENTICATED", refusal.getTrailers().get(Statuses.CODE));
        assertTrue(refusal.getTrailers().get(Statuses.REMEDY).contains("Bearer"));
    }

    @Test
    void refusesTwoTokens() {
        assertRefused(
                Status.Code.UNAUTHENTICATED,
                "more than once",
                "authorization",
                "Bearer palyra_alice",
                "authorization",
                "Bearer palyra_alice");
    }

    @Test
    void looksTheTokenUpForEachCall() {
        GatewayServiceBlockingStub alice = Port.as(channel, "alice");
        Port.whoAmI(alice);
        port.access.revoke("palyra_alice");
        assertEquals(Status.Code.UNAUTHENTICATED, refused(alice).getCode());
    }

    @Test
    void takesDeviceAndChannelFromMetadata() {
        Port.whoAmI(
                Port.stub(
                        channel,
                        "authorization",
                        "Bearer palyra_alice",
                        "x-palyra-device-id",
                        DEVICE,
                        "x-palyra-channel",
                        "the team's chat"));
        Caller caller = port.probe.callers.get(0);
        assertEquals(DEVICE, caller.deviceId());
        assertEquals("the team's chat", caller.channel());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "phone", "01jd3z0000000000000000000a", DEVICE + "0", DEVICE + "-"})
    void refusesADeviceThatIsNoUlid(String device) {
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "x-palyra-device-id is not a ULID",
                "authorization",
                "Bearer palyra_alice",
                "x-palyra-device-id",
                device);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "01234567890123456789012345678901234567890123456789012345678901234"})
    void refusesAChannelThatIsNotUsable(String name) {
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "x-palyra-channel is not usable",
                "authorization",
                "Bearer palyra_alice",
                "x-palyra-channel",
                name);
    }

    @Test
    void whoIsEntitledSpeaksForAnother() {
        assertEquals(
                "user:carol",
                Port.whoAmI(
                        Port.stub(
                                channel,
                                "authorization",
                                "Bearer palyra_connector",
                                "x-palyra-principal",
                                "user:carol")));
    }

    @Test
    void speakingForOneselfNeedsNothing() {
        assertEquals(
                "user:alice",
                Port.whoAmI(
                        Port.stub(
                                channel,
                                "authorization",
                                "Bearer palyra_alice",
                                "x-palyra-principal",
                                "user:alice")));
    }

    @Test
    void nobodyElseSpeaksForAnother() {
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                "may not speak for",
                "authorization",
                "Bearer palyra_alice",
                "x-palyra-principal",
                "user:bob");
    }

    @Test
    void aHeaderAloneIsNoCredential() {
        assertRefused(
                Status.Code.UNAUTHENTICATED, "carries none", "x-palyra-principal", "user:bob");
    }

    @Test
    void refusesAnEmptyPrincipalRatherThanSpeakForTheCaller() {
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "x-palyra-principal is not usable",
                "authorization",
                "Bearer palyra_alice",
                "x-palyra-principal",
                "");
    }

    @Test
    void healthNeedsNoCredential() {
        assertEquals(
                "ok", Port.stub(channel).getHealth(HealthRequest.getDefaultInstance()).getStatus());
        assertEquals(0, port.access.credentials().size());
    }

    @Test
    void deniesWhileNobodyCanDecide() {
        port.access.failAuthentication(
                new PalyraException(
                        ErrorCode.POLICY_UNAVAILABLE,
                        "The test took access control away; try again."));
        assertRefused(Status.Code.UNAVAILABLE, "try again", "authorization", "Bearer palyra_alice");
    }

    @Test
    void waitsForAccessControlThatIsBeingReplaced() throws Exception {
        port.seams.access().remove((Access) port.access);
        CompletableFuture<String> call = Port.async(() -> Port.whoAmI(Port.as(channel, "alice")));
        FakeAccess successor = Port.callers();
        port.seams.access().add((Access) successor, Map.of());
        assertEquals("user:alice", call.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertTrue(successor.credentials().size() > 0);
    }

    @Test
    void deniesWhenAccessControlDoesNotComeBack() {
        port.seams.access().remove((Access) port.access);
        assertRefused(
                Status.Code.UNAVAILABLE,
                "Access control is not available",
                "authorization",
                "Bearer palyra_alice");
    }
}
