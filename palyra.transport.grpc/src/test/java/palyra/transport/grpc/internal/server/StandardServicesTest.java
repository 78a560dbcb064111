package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.transport.grpc.internal.call.OpenStreams;

class StandardServicesTest {
    private static final String GATEWAY = "palyra.gateway.v1.GatewayService";

    @TempDir Path folder;
    private Port port;
    private ManagedChannel channel;

    @BeforeEach
    void open() {
        port = Port.open(new TestSettings(folder));
        channel = port.plain();
    }

    @AfterEach
    void close() {
        port.close();
    }

    private ServingStatus health(String service) {
        return HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void healthSaysWhetherTheGatewayIsReady() {
        for (String service : List.of("", GATEWAY)) {
            assertEquals(ServingStatus.NOT_SERVING, health(service));
        }
        port.ready.set(true);
        for (String service : List.of("", GATEWAY)) {
            assertEquals(ServingStatus.SERVING, health(service), "no change was announced");
        }
        port.ready.set(false);
        assertEquals(ServingStatus.NOT_SERVING, health(GATEWAY));
    }

    @Test
    void aServerThatStartsLaterKnowsWhetherTheGatewayIsReady() {
        port.ready.set(true);
        String before = port.uri.get();
        port.apply(new TestSettings(folder).set("maxMessageBytes", 70_000));
        palyra.testing.wait.Await.until(
                "the port to open again",
                Port.PATIENCE,
                () -> !port.uri.get().isEmpty() && !port.uri.get().equals(before));
        channel = port.plain();
        assertEquals(ServingStatus.SERVING, health(""));
    }

    @Test
    void aWatchEndsWhenThePortCloses() throws Exception {
        CompletableFuture<ServingStatus> first = new CompletableFuture<>();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        HealthGrpc.newStub(channel)
                .watch(
                        HealthCheckRequest.getDefaultInstance(),
                        new StreamObserver<>() {
                            @Override
                            public void onNext(HealthCheckResponse value) {
                                first.complete(value.getStatus());
                            }

                            @Override
                            public void onError(Throwable failure) {
                                end.complete(failure);
                            }

                            @Override
                            public void onCompleted() {
                                end.complete(new AssertionError("it ended well"));
                            }
                        });
        assertEquals(
                ServingStatus.NOT_SERVING, first.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        port.transport.close();
        Throwable failure = end.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEquals(Status.Code.UNAVAILABLE, Status.fromThrowable(failure).getCode());
        assertEquals("reattach", Status.trailersFromThrowable(failure).get(OpenStreams.HINT));
    }

    @Test
    void reflectionTellsTheServices() throws Exception {
        ServerReflectionResponse response =
                answer(
                        ServerReflectionGrpc.newStub(channel)::serverReflectionInfo,
                        ServerReflectionRequest.newBuilder().setListServices("").build());
        List<String> services =
                response.getListServicesResponse().getServiceList().stream()
                        .map(io.grpc.reflection.v1.ServiceResponse::getName)
                        .toList();
        assertTrue(services.contains(GATEWAY), services.toString());
        assertTrue(services.contains("grpc.health.v1.Health"), services.toString());
        ServerReflectionResponse file =
                answer(
                        ServerReflectionGrpc.newStub(channel)::serverReflectionInfo,
                        ServerReflectionRequest.newBuilder()
                                .setFileContainingSymbol(GATEWAY)
                                .build());
        assertTrue(
                file.getFileDescriptorResponse()
                        .getFileDescriptorProto(0)
                        .toStringUtf8()
                        .contains("RunStream"));
    }

    @Test
    void reflectionAnswersByItsOldNameToo() throws Exception {
        var response =
                answer(
                        io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(channel)
                                ::serverReflectionInfo,
                        io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
                                .setListServices("")
                                .build());
        assertTrue(
                response.getListServicesResponse().getServiceList().stream()
                        .anyMatch(service -> service.getName().equals(GATEWAY)));
    }

    private static <Q, R> R answer(
            Function<StreamObserver<R>, StreamObserver<Q>> method, Q question) throws Exception {
        CompletableFuture<R> answer = new CompletableFuture<>();
        StreamObserver<Q> out =
                method.apply(
                        new StreamObserver<>() {
                            @Override
                            public void onNext(R value) {
                                answer.complete(value);
                            }

                            @Override
                            public void onError(Throwable failure) {
                                answer.completeExceptionally(failure);
                            }

                            @Override
                            public void onCompleted() {
                                // The answer came before.
                            }
                        });
        out.onNext(question);
        R found = answer.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        out.onCompleted();
        return found;
    }
}
