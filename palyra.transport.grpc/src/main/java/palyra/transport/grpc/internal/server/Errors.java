package palyra.transport.grpc.internal.server;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.hash.Ulids;

/**
 * Maps every failure of a call to a status: refusals as they are, a message that cannot be read
 * into INVALID_ARGUMENT, a defect into INTERNAL with a reference to the log. Runs outside the
 * reading of messages, so it sees malformed messages.
 */
final class Errors implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(Errors.class);

    private final Ulids references = new Ulids();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Translated<Q, R> translated = new Translated<>(call);
        try {
            return new Guarded<>(next.startCall(translated, headers), translated);
        } catch (RuntimeException | Error e) {
            translated.fail(e);
            return new ServerCall.Listener<>() {};
        }
    }

    /** Finds the words for a failure; logs it when it is a defect. */
    private Statuses.Refusal refusal(Throwable failure, String method) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof PalyraException known) {
                return Statuses.of(known);
            }
            if (at instanceof InvalidProtocolBufferException malformed) {
                return Statuses.of(ErrorCode.INVALID_ARGUMENT, unreadable(malformed));
            }
        }
        if (failure instanceof StatusRuntimeException e
                && e.getStatus().getCode() != Status.Code.UNKNOWN) {
            return new Statuses.Refusal(e.getStatus(), orEmpty(e.getTrailers()));
        }
        if (failure instanceof StatusException e
                && e.getStatus().getCode() != Status.Code.UNKNOWN) {
            return new Statuses.Refusal(e.getStatus(), orEmpty(e.getTrailers()));
        }
        String reference = references.next();
        LOG.error("Call of {} failed, reference {}.", method, reference, failure);
        return Statuses.of(
                ErrorCode.INTERNAL,
                "The call failed by a defect of the gateway; see the gateway's log, reference "
                        + reference
                        + ".");
    }

    private static String unreadable(InvalidProtocolBufferException malformed) {
        boolean text = String.valueOf(malformed.getMessage()).contains("UTF-8");
        return text
                ? "A text in the message is not valid UTF-8; encode texts as UTF-8, and put other"
                        + " bytes into fields of type bytes only."
                : "The message is not what the method takes; encode it by the gateway's .proto"
                        + " files.";
    }

    private static Metadata orEmpty(Metadata trailers) {
        return trailers == null ? new Metadata() : trailers;
    }

    private final class Translated<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private volatile boolean failed;

        Translated(ServerCall<Q, R> call) {
            super(call);
        }

        void fail(Throwable failure) {
            failed = true;
            Statuses.Refusal refusal = refusal(failure, getMethodDescriptor().getFullMethodName());
            delegate().close(refusal.status(), refusal.trailers());
        }

        @Override
        public void close(Status status, Metadata trailers) {
            boolean untranslated =
                    status.getCode() == Status.Code.UNKNOWN && status.getCause() != null;
            if (untranslated) {
                fail(status.getCause());
            } else {
                delegate()
                        .close(
                                status.withDescription(Statuses.shortened(status.getDescription())),
                                trailers);
            }
        }
    }

    /** After a failure the call is over: only its end is passed on. */
    private static final class Guarded<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Errors.Translated<?, ?> call;

        Guarded(ServerCall.Listener<Q> delegate, Errors.Translated<?, ?> call) {
            super(delegate);
            this.call = call;
        }

        private void attempt(Runnable step) {
            if (call.failed) {
                return;
            }
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                call.fail(e);
            }
        }

        @Override
        public void onMessage(Q message) {
            attempt(() -> delegate().onMessage(message));
        }

        @Override
        public void onHalfClose() {
            attempt(delegate()::onHalfClose);
        }

        @Override
        public void onReady() {
            attempt(delegate()::onReady);
        }
    }
}
