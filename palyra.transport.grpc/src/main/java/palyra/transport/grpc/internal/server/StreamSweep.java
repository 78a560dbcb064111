package palyra.transport.grpc.internal.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.OpenStreams;

/**
 * Looks up the credentials of open streams again and ends the streams whose credential counts no
 * longer. While access control is not available, streams stay open for a grace period; then their
 * clients are asked to attach again.
 */
final class StreamSweep {
    /** How long streams stay while credentials cannot be looked up. */
    static final long GRACE_MILLIS = 30_000;

    private final OpenStreams streams;
    private final LongSupplier millis;
    private long unknownSince = -1; // only on the thread that sweeps; -1 while it is known

    StreamSweep(OpenStreams streams, LongSupplier millis) {
        this.streams = streams;
        this.millis = millis;
    }

    /** Sweeps once; each credential is looked up once. */
    void run() {
        Map<Caller.Proof, Optional<PalyraException>> known = new HashMap<>();
        try {
            for (OpenStreams.OpenStream stream : streams.all()) {
                known.computeIfAbsent(stream.caller().proof(), StreamSweep::look)
                        .ifPresent(refusal -> end(stream, Statuses.of(refusal)));
            }
            unknownSince = -1;
        } catch (PalyraException e) {
            waitForAnswer(e);
        }
    }

    /** Empty while the credential is valid; throws while access control is not available. */
    private static Optional<PalyraException> look(Caller.Proof proof) {
        try {
            proof.check();
            return Optional.empty();
        } catch (PalyraException e) {
            if (e.code().kind() == ErrorCode.Kind.POLICY) {
                return Optional.of(e);
            }
            throw e;
        }
    }

    private void end(OpenStreams.OpenStream stream, Statuses.Refusal refusal) {
        streams.unregister(stream);
        stream.end(refusal.status(), refusal.trailers());
    }

    private void waitForAnswer(PalyraException why) {
        long now = millis.getAsLong();
        if (unknownSince < 0) {
            unknownSince = now;
        } else if (now - unknownSince > GRACE_MILLIS) {
            for (OpenStreams.OpenStream stream : streams.all()) {
                streams.unregister(stream);
                OpenStreams.endForReattach(
                        stream,
                        "Access control could not confirm this stream's credential for a"
                                + " while: "
                                + why.getMessage());
            }
        }
    }
}
