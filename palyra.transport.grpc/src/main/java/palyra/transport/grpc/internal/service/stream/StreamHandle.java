package palyra.transport.grpc.internal.service.stream;

import io.grpc.Metadata;
import io.grpc.Status;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.OpenStreams;

/**
 * Ends an open stream from outside. The server ends streams towards their clients; this also ends
 * the work for a stream at once, even when its client reads nothing. Thread-safe.
 */
public final class StreamHandle implements OpenStreams.OpenStream {
    private final Caller caller;
    private final Outbound<?> out;

    private StreamHandle(Caller caller, Outbound<?> out) {
        this.caller = caller;
        this.out = out;
    }

    /** Lists a stream among the open ones until it is over. */
    public static void list(OpenStreams streams, Caller caller, Outbound<?> out) {
        StreamHandle handle = new StreamHandle(caller, out);
        streams.register(handle);
        out.whenOver(() -> streams.unregister(handle));
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public void end(Status status, Metadata trailers) {
        out.fail(status.asRuntimeException(trailers));
    }
}
