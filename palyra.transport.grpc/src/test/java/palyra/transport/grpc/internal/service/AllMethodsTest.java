package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.transport.grpc.internal.wire.gateway.ApprovalsServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.VaultServiceGrpc;

/** What holds for every method. */
class AllMethodsTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client root;
    private Client nobody;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state).engineComes();
        root = gateway.client("user:root", "operator");
        nobody = gateway.client("");
    }

    @AfterEach
    void close() {
        root.close();
        nobody.close();
        gateway.close();
    }

    /** Sends the empty message, whose version is 0. */
    private static Status refusal(Client client, MethodDescriptor<?, ?> method) {
        return assertThrows(
                        StatusRuntimeException.class,
                        () -> send(client, method),
                        method.getFullMethodName())
                .getStatus();
    }

    private static <Q, R> void send(Client client, MethodDescriptor<Q, R> method) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);
        Q empty = ((PrototypeMarshaller<Q>) method.getRequestMarshaller()).getMessagePrototype();
        if (method.getType() == MethodDescriptor.MethodType.UNARY) {
            ClientCalls.blockingUnaryCall(client.transport(), method, options, empty);
        } else {
            ClientCalls.blockingServerStreamingCall(
                            client.transport(),
                            method.toBuilder()
                                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                                    .build(),
                            options,
                            empty)
                    .forEachRemaining(response -> {});
        }
    }

    private static List<MethodDescriptor<?, ?>> methods() {
        List<MethodDescriptor<?, ?>> all = new ArrayList<>();
        all.addAll(GatewayServiceGrpc.getServiceDescriptor().getMethods());
        all.addAll(ApprovalsServiceGrpc.getServiceDescriptor().getMethods());
        all.addAll(VaultServiceGrpc.getServiceDescriptor().getMethods());
        return all;
    }

    @Test
    void speakVersionOneOnly() {
        for (MethodDescriptor<?, ?> method : methods()) {
            Status status = refusal(root, method);
            assertEquals(
                    Status.Code.INVALID_ARGUMENT, status.getCode(), method.getFullMethodName());
            assertTrue(
                    status.getDescription().startsWith("v is 0: this gateway speaks version 1"),
                    method.getFullMethodName() + ": " + status.getDescription());
        }
    }

    @Test
    void needACredentialExceptTheOneAboutHealth() {
        int guarded = 0;
        for (MethodDescriptor<?, ?> method : methods()) {
            if (!method.getBareMethodName().equals("GetHealth")) {
                assertEquals(
                        Status.Code.UNAUTHENTICATED,
                        refusal(nobody, method).getCode(),
                        method.getFullMethodName());
                guarded++;
            }
        }
        assertEquals(31, guarded);
    }
}
