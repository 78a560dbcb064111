package palyra.transport.grpc.internal.server;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Lets a call be ended from any thread while its service writes to it: the first end counts, what
 * is written after it is dropped. The outermost interceptor.
 */
final class GuardedCalls implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return next.startCall(new Guarded<>(call), headers);
    }

    private static final class Guarded<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private final Object lock = new Object();
        private boolean ended; // guarded by lock

        Guarded(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            synchronized (lock) {
                if (!ended) {
                    delegate().sendHeaders(headers);
                }
            }
        }

        @Override
        public void sendMessage(R message) {
            synchronized (lock) {
                if (!ended) {
                    delegate().sendMessage(message);
                }
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            synchronized (lock) {
                if (!ended) {
                    ended = true;
                    delegate().close(status, trailers);
                }
            }
        }
    }
}
