package palyra.bench.grpc;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import palyra.transport.grpc.internal.wire.common.JournalEvent;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;

/**
 * The peer of the gateway on the wire: a bare grpc-java server that does for a message what cannot
 * be left out, the rows of a turn in two transactions, and answers with as many events as a client
 * needs. No queue, no engine, no permission.
 */
final class BareServer implements AutoCloseable {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;

    /** Work for a message before its answer. */
    interface Work {
        void turn(String sessionKey) throws Exception;
    }

    BareServer(Work work) throws IOException {
        server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .executor(executor)
                        .addService(new Bare(work))
                        .build()
                        .start();
    }

    String endpoint() {
        return "grpc://127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        executor.shutdownNow();
    }

    /** The one method that a client of the benchmarks calls. */
    private static final class Bare extends GatewayServiceGrpc.GatewayServiceImplBase {
        private final Work work;

        Bare(Work work) {
            this.work = work;
        }

        @Override
        public StreamObserver<RunStreamRequest> runStream(StreamObserver<RunStreamEvent> events) {
            return new StreamObserver<>() {
                @Override
                public void onNext(RunStreamRequest request) {
                    answer(request, events);
                }

                @Override
                public void onError(Throwable problem) {
                    // the client is gone
                }

                @Override
                public void onCompleted() {
                    // it has said all; so have we
                }
            };
        }

        private void answer(RunStreamRequest request, StreamObserver<RunStreamEvent> events) {
            try {
                events.onNext(status(StreamStatus.StatusKind.STATUS_KIND_ACCEPTED, 1));
                work.turn(request.getSessionKey());
                String text = "You said: " + request.getInput().getContent().getText();
                ModelToken token =
                        ModelToken.newBuilder().setToken(text).setTurn(1).setAttempt(1).build();
                events.onNext(RunStreamEvent.newBuilder().setV(1).setModelToken(token).build());
                events.onNext(
                        RunStreamEvent.newBuilder()
                                .setV(1)
                                .setSeq(2)
                                .setJournalEvent(
                                        JournalEvent.newBuilder()
                                                .setRecordType("message")
                                                .setPayloadJson(
                                                        ByteString.copyFromUtf8(
                                                                "{\"role\":\"AGENT\"}")))
                                .build());
                events.onNext(status(StreamStatus.StatusKind.STATUS_KIND_DONE, 3));
                events.onCompleted();
            } catch (Exception e) {
                events.onError(Status.INTERNAL.withDescription(e.toString()).asException());
            }
        }

        private static RunStreamEvent status(StreamStatus.StatusKind kind, long seq) {
            return RunStreamEvent.newBuilder()
                    .setV(1)
                    .setSeq(seq)
                    .setStatus(StreamStatus.newBuilder().setKind(kind))
                    .build();
        }
    }
}
