package palyra.transport.grpc.internal.server;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;

/**
 * Counts calls and messages. Outlives the servers that it counts for. Thread-safe; names of methods
 * without a handler are not kept.
 */
final class CallCounts extends ServerStreamTracer.Factory {
    private static final String UNKNOWN = "unknown";

    private final Map<Key, LongAdder> calls = new ConcurrentHashMap<>();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder refusedConnections = new LongAdder();
    private final AtomicInteger streams = new AtomicInteger();

    private record Key(String method, Status.Code status) {}

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Tracer();
    }

    private final class Tracer extends ServerStreamTracer {
        private final AtomicBoolean streaming = new AtomicBoolean();
        private volatile String method = UNKNOWN;

        @Override
        public void serverCallStarted(ServerCallInfo<?, ?> call) {
            method = call.getMethodDescriptor().getFullMethodName();
            if (call.getMethodDescriptor().getType() != MethodType.UNARY) {
                streaming.set(true);
                streams.incrementAndGet();
            }
        }

        @Override
        public void inboundMessage(int number) {
            received.increment();
        }

        @Override
        public void outboundMessage(int number) {
            sent.increment();
        }

        @Override
        public void streamClosed(Status status) {
            if (streaming.getAndSet(false)) {
                streams.decrementAndGet();
            }
            calls.computeIfAbsent(new Key(method, status.getCode()), key -> new LongAdder())
                    .increment();
        }
    }

    /** Counts a connection that was turned away because there were too many. */
    void connectionRefused() {
        refusedConnections.increment();
    }

    /** Returns how many streaming calls are open. */
    int streams() {
        return streams.get();
    }

    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.gauge("palyra_grpc_streams", "Streaming calls that are open.", streams()));
        metrics.add(
                Metric.counter(
                        "palyra_grpc_messages_received_total",
                        "Messages of clients.",
                        (double) received.sum()));
        metrics.add(
                Metric.counter(
                        "palyra_grpc_messages_sent_total",
                        "Messages to clients.",
                        (double) sent.sum()));
        metrics.add(
                Metric.counter(
                        "palyra_grpc_connections_refused_total",
                        "Connections turned away because there were too many.",
                        (double) refusedConnections.sum()));
        calls.forEach(
                (key, count) ->
                        metrics.add(
                                new Metric(
                                        "palyra_grpc_calls_total",
                                        "Calls that ended, by method and status.",
                                        Metric.Type.COUNTER,
                                        Map.of("method", key.method, "status", key.status.name()),
                                        (double) count.sum())));
        return metrics;
    }
}
