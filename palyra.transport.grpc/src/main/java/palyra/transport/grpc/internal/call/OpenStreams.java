package palyra.transport.grpc.internal.call;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.shared.follow.LostContact;

/** The streams that are open now, so that they can be ended from outside. Thread-safe. */
public final class OpenStreams {
    /** Trailer that tells a client what to do: {@code reattach}. */
    public static final Metadata.Key<String> HINT =
            Metadata.Key.of("palyra-hint", Metadata.ASCII_STRING_MARSHALLER);

    /** A stream that can be ended. */
    public interface OpenStream {
        /** Returns who opened it. */
        Caller caller();

        /**
         * Ends it. Called from any thread and perhaps more than once, also while it ends by itself;
         * must not block.
         */
        void end(Status status, Metadata trailers);
    }

    private final Set<OpenStream> streams = ConcurrentHashMap.newKeySet();
    private volatile String goingAway; // null while streams are welcome

    /** Adds a stream. One that comes after {@link #closeAll} is ended at once. */
    public void register(OpenStream stream) {
        streams.add(stream);
        String reason = goingAway;
        if (reason != null && streams.remove(stream)) {
            endForReattach(stream, reason);
        }
    }

    /** Takes a stream out; nothing happens when it is not in. */
    public void unregister(OpenStream stream) {
        streams.remove(stream);
    }

    /** Returns the streams that are open now. */
    public List<OpenStream> all() {
        return List.copyOf(streams);
    }

    /** Ends every stream, and those that come later, so that its client attaches again. */
    public void closeAll(String reason) {
        goingAway = reason;
        for (OpenStream stream : all()) {
            if (streams.remove(stream)) {
                endForReattach(stream, reason);
            }
        }
    }

    /** Lets streams in again, after {@link #closeAll}. */
    public void reopen() {
        goingAway = null;
    }

    /** Returns why streams are turned away now; empty while they are welcome. */
    public Optional<String> goingAway() {
        return Optional.ofNullable(goingAway);
    }

    /** Ends a stream with UNAVAILABLE and the hint to attach again. */
    public static void endForReattach(OpenStream stream, String reason) {
        stream.end(Status.UNAVAILABLE.withDescription(reason), reattach());
    }

    /** Returns UNAVAILABLE with the hint to attach again, for a run that could not be followed. */
    public static StatusRuntimeException lostContact(LostContact e) {
        return Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException(reattach());
    }

    /** Returns new trailers with the hint to attach again. */
    public static Metadata reattach() {
        Metadata trailers = new Metadata();
        trailers.put(HINT, "reattach");
        return trailers;
    }
}
