package palyra.transport.grpc.internal.server;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;

/** A RunStream with the probe at its other end. */
final class OpenedStream implements StreamObserver<RunStreamEvent> {
    /** How it ended. */
    record End(Status status, Metadata trailers) {}

    private final List<String> echoes = new CopyOnWriteArrayList<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final StreamObserver<RunStreamRequest> out;

    OpenedStream(ManagedChannel channel, String... metadata) {
        out =
                GatewayServiceGrpc.newStub(channel)
                        .withInterceptors(
                                MetadataUtils.newAttachHeadersInterceptor(Port.metadata(metadata)))
                        .runStream(this);
    }

    static OpenedStream as(ManagedChannel channel, String token) {
        return new OpenedStream(channel, "authorization", "Bearer palyra_" + token);
    }

    void send(String text) {
        out.onNext(RunStreamRequest.newBuilder().setV(1).setSessionKey(text).build());
    }

    /** Sends a text before which the credential is looked up again. */
    void sendChange(String text) {
        out.onNext(
                RunStreamRequest.newBuilder()
                        .setV(1)
                        .setSessionKey(text)
                        .setCancelRun(true)
                        .build());
    }

    void halfClose() {
        out.onCompleted();
    }

    /** Sends a text and waits until it came back. */
    OpenedStream echo(String text) {
        send(text);
        awaitEcho(text);
        return this;
    }

    void awaitEcho(String text) {
        Await.until("the echo of " + text, Port.PATIENCE, () -> echoes.contains(text));
    }

    boolean isOver() {
        return end.isDone();
    }

    End end() {
        try {
            return end.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the stream did not end", e);
        }
    }

    @Override
    public void onNext(RunStreamEvent event) {
        echoes.add(event.getStatus().getMessage());
    }

    @Override
    public void onError(Throwable failure) {
        Metadata trailers = Status.trailersFromThrowable(failure);
        end.complete(
                new End(
                        Status.fromThrowable(failure),
                        trailers == null ? new Metadata() : trailers));
    }

    @Override
    public void onCompleted() {
        end.complete(new End(Status.OK, new Metadata()));
    }
}
