package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.transport.grpc.internal.wire.gateway.AbortRunRequest;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSessionsRequest;

class ErrorsTest {
    private static final int LIMIT = 65_536;
    private static final byte[] BAD_UTF8 = {0x12, 0x03, 0x0a, 0x01, (byte) 0xff}; // run_id.ulid
    private static final byte[] GARBAGE = {(byte) 0xff, (byte) 0xff, 1, 2, 3};

    @TempDir Path folder;
    private Port port;
    private ManagedChannel channel;

    @BeforeEach
    void open() {
        port = Port.open(new TestSettings(folder).set("maxMessageBytes", LIMIT));
        channel = port.plain();
    }

    @AfterEach
    void close() {
        port.close();
    }

    private StatusRuntimeException thrown(Supplier<RuntimeException> failure) {
        port.probe.failure = failure;
        return assertThrows(
                StatusRuntimeException.class,
                () -> Port.as(channel, "alice").getRun(GetRunRequest.getDefaultInstance()));
    }

    private StatusRuntimeException handedIn(Supplier<RuntimeException> failure) {
        port.probe.failure = failure;
        return assertThrows(
                StatusRuntimeException.class,
                () -> Port.as(channel, "alice").abortRun(AbortRunRequest.getDefaultInstance()));
    }

    private static Metadata alice() {
        return Port.metadata("authorization", "Bearer palyra_alice");
    }

    private StatusRuntimeException raw(MethodDescriptor<?, ?> method, byte[] message) {
        return RawCalls.end(channel, method, alice(), message);
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT,INVALID_ARGUMENT",
        "NOT_FOUND,NOT_FOUND",
        "ALREADY_EXISTS,ALREADY_EXISTS",
        "IDEMPOTENCY_MISMATCH,ALREADY_EXISTS",
        "CONFLICT,FAILED_PRECONDITION",
        "STALE_EPOCH,ABORTED",
        "UNAUTHENTICATED,UNAUTHENTICATED",
        "DENIED,PERMISSION_DENIED",
        "POLICY_UNAVAILABLE,UNAVAILABLE",
        "JOURNAL_UNAVAILABLE,UNAVAILABLE",
        "KEYS_UNAVAILABLE,UNAVAILABLE",
        "GATEWAY_UNAVAILABLE,UNAVAILABLE",
        "MODEL_UNAVAILABLE,UNAVAILABLE",
        "MODEL_FAILED,UNAVAILABLE",
        "TOOL_UNAVAILABLE,UNAVAILABLE",
        "READ_ONLY,UNAVAILABLE",
        "RESOURCE_EXHAUSTED,RESOURCE_EXHAUSTED",
        "DISK_FULL,RESOURCE_EXHAUSTED",
        "TIMED_OUT,DEADLINE_EXCEEDED",
        "CANCELLED,CANCELLED",
        "CORRUPT,INTERNAL",
        "INTERNAL,INTERNAL"
    })
    void saysARefusalByItsCode(ErrorCode code, Status.Code expected) {
        for (StatusRuntimeException refusal :
                new StatusRuntimeException[] {
                    thrown(() -> new PalyraException(code, "Why it went so: ü.")),
                    handedIn(() -> new PalyraException(code, "Why it went so: ü."))
                }) {
            assertEquals(expected, refusal.getStatus().getCode());
            assertEquals("Why it went so: ü.", refusal.getStatus().getDescription());
            assertEquals(code.name(), refusal.getTrailers().get(Statuses.CODE));
        }
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void knowsEveryCode(ErrorCode code) {
        Status.Code status = Statuses.of(code, "Why.").status().getCode();
        boolean defect = code == ErrorCode.INTERNAL || code == ErrorCode.CORRUPT;
        assertEquals(defect, status == Status.Code.INTERNAL, code + " became " + status);
    }

    @Test
    void saysWhatToDoWhereThereIsSomething() {
        StatusRuntimeException refusal =
                thrown(() -> new PalyraException(ErrorCode.DISK_FULL, "No room."));
        assertTrue(refusal.getTrailers().get(Statuses.REMEDY).contains("room"));
        refusal = thrown(() -> new PalyraException(ErrorCode.NOT_FOUND, "No such run."));
        assertNull(refusal.getTrailers().get(Statuses.REMEDY));
    }

    @Test
    void keepsADefectToItselfAndRefersToTheLog() {
        for (StatusRuntimeException refusal :
                new StatusRuntimeException[] {
                    thrown(() -> new IllegalStateException("the secret of the house")),
                    handedIn(() -> new IllegalStateException("the secret of the house"))
                }) {
            assertEquals(Status.Code.INTERNAL, refusal.getStatus().getCode());
            String words = refusal.getStatus().getDescription();
            assertTrue(words.matches("(?s).*gateway's log, reference [0-9A-Z]{26}\\."), words);
            assertFalse(words.contains("secret"), words);
            assertEquals("INTERNAL", refusal.getTrailers().get(Statuses.CODE));
        }
    }

    @Test
    void passesAStatusOn() {
        StatusRuntimeException refusal =
                thrown(
                        () ->
                                Status.OUT_OF_RANGE
                                        .withDescription("Too far.")
                                        .asRuntimeException(
                                                Port.metadata("palyra-hint", "reattach")));
        assertEquals(Status.Code.OUT_OF_RANGE, refusal.getStatus().getCode());
        assertEquals("Too far.", refusal.getStatus().getDescription());
        assertEquals(
                "reattach",
                refusal.getTrailers().get(palyra.transport.grpc.internal.call.OpenStreams.HINT));
    }

    @Test
    void shortensWhatWouldNotFitIntoTrailers() {
        StatusRuntimeException refusal =
                thrown(() -> new PalyraException(ErrorCode.INVALID_ARGUMENT, "ü".repeat(100_000)));
        assertEquals(Status.Code.INVALID_ARGUMENT, refusal.getStatus().getCode());
        assertEquals(1_001, refusal.getStatus().getDescription().length());
    }

    @Test
    void refusesATextThatIsNotUtf8() {
        StatusRuntimeException refusal = raw(GatewayServiceGrpc.getGetRunMethod(), BAD_UTF8);
        assertEquals(Status.Code.INVALID_ARGUMENT, refusal.getStatus().getCode());
        assertTrue(
                refusal.getStatus().getDescription().contains("not valid UTF-8"),
                refusal.toString());
        assertEquals("INVALID_ARGUMENT", refusal.getTrailers().get(Statuses.CODE));
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
    }

    @Test
    void refusesATextThatIsNotUtf8InAStream() {
        byte[] message = {0x32, 0x01, (byte) 0xff}; // session_key
        StatusRuntimeException refusal = raw(GatewayServiceGrpc.getRunStreamMethod(), message);
        assertEquals(Status.Code.INVALID_ARGUMENT, refusal.getStatus().getCode());
        assertTrue(
                refusal.getStatus().getDescription().contains("not valid UTF-8"),
                refusal.toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesWhatIsNoMessage(boolean stream) {
        StatusRuntimeException refusal =
                raw(
                        stream
                                ? GatewayServiceGrpc.getRunStreamMethod()
                                : GatewayServiceGrpc.getGetRunMethod(),
                        GARBAGE);
        assertEquals(Status.Code.INVALID_ARGUMENT, refusal.getStatus().getCode());
        assertTrue(refusal.getStatus().getDescription().contains(".proto"), refusal.toString());
    }

    @Test
    void readsNothingOfWhomItDoesNotKnow() {
        StatusRuntimeException refusal =
                RawCalls.end(
                        channel, GatewayServiceGrpc.getGetRunMethod(), new Metadata(), BAD_UTF8);
        assertEquals(Status.Code.UNAUTHENTICATED, refusal.getStatus().getCode());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesAMessageThatIsTooLongAndNamesTheLimit(boolean stream) {
        StatusRuntimeException refusal =
                raw(
                        stream
                                ? GatewayServiceGrpc.getRunStreamMethod()
                                : GatewayServiceGrpc.getGetRunMethod(),
                        new byte[LIMIT + 1]);
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.getStatus().getCode());
        assertTrue(
                refusal.getStatus().getDescription().contains(Integer.toString(LIMIT)),
                refusal.toString());
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
    }

    @Test
    void takesAMessageOfExactlyTheLimit() {
        String key = "k".repeat(LIMIT - 4); // tag and a length of three bytes
        ListSessionsRequest request = ListSessionsRequest.newBuilder().setQ(key).build();
        assertEquals(LIMIT, request.getSerializedSize());
        StatusRuntimeException refusal =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> Port.as(channel, "alice").listSessions(request));
        assertEquals(Status.Code.UNIMPLEMENTED, refusal.getStatus().getCode());
    }

    @Test
    void saysThatAMethodDoesNotExist() {
        MethodDescriptor<?, ?> unknown =
                GatewayServiceGrpc.getGetRunMethod().toBuilder()
                        .setFullMethodName("palyra.gateway.v1.GatewayService/Nothing")
                        .build();
        assertEquals(Status.Code.UNIMPLEMENTED, raw(unknown, new byte[0]).getStatus().getCode());
    }
}
