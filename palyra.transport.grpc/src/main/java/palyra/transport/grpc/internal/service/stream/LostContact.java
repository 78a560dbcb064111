package palyra.transport.grpc.internal.service.stream;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import palyra.transport.grpc.internal.call.OpenStreams;

/** A run could not be followed for so long that the client is better off attaching again. */
public final class LostContact extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostContact(String runId, String reason) {
        super(
                "Run "
                        + runId
                        + " could not be followed for 30 seconds ("
                        + reason
                        + "); it goes on by itself: attach to it again.");
    }

    /** Returns what the client is told: UNAVAILABLE, with the hint to attach again. */
    StatusRuntimeException status() {
        return Status.UNAVAILABLE
                .withDescription(getMessage())
                .asRuntimeException(OpenStreams.reattach());
    }
}
