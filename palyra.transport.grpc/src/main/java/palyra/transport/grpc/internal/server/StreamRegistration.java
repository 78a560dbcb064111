package palyra.transport.grpc.internal.server;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.Callers;
import palyra.transport.grpc.internal.call.OpenStreams;

/**
 * Keeps lists of the streams that are open, so that they can be ended when their credential counts
 * no longer or the port goes away. Runs inside of authentication.
 */
final class StreamRegistration implements ServerInterceptor {
    private final OpenStreams authenticated;
    private final OpenStreams anonymous;

    StreamRegistration(OpenStreams authenticated, OpenStreams anonymous) {
        this.authenticated = authenticated;
        this.anonymous = anonymous;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Caller caller = Callers.KEY.get();
        if (call.getMethodDescriptor().getType() == MethodType.UNARY) {
            return next.startCall(call, headers);
        }
        OpenStreams streams = caller == null ? anonymous : authenticated;
        Stream stream = new Stream(caller, call);
        streams.register(stream);
        try {
            return new Registered<>(next.startCall(call, headers), streams, stream);
        } catch (RuntimeException | Error e) {
            streams.unregister(stream);
            throw e;
        }
    }

    /**
     * The call is guarded: it may be ended from any thread.
     *
     * @param caller null when the call is not authenticated
     */
    private record Stream(Caller caller, ServerCall<?, ?> call) implements OpenStreams.OpenStream {
        @Override
        public void end(Status status, Metadata trailers) {
            call.close(status, trailers);
        }
    }

    private static final class Registered<Q> extends SimpleForwardingServerCallListener<Q> {
        private final OpenStreams streams;
        private final Stream stream;

        Registered(ServerCall.Listener<Q> delegate, OpenStreams streams, Stream stream) {
            super(delegate);
            this.streams = streams;
            this.stream = stream;
        }

        @Override
        public void onCancel() {
            streams.unregister(stream);
            delegate().onCancel();
        }

        @Override
        public void onComplete() {
            streams.unregister(stream);
            delegate().onComplete();
        }
    }
}
