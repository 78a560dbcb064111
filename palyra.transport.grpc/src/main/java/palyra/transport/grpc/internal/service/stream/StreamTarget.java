package palyra.transport.grpc.internal.service.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import palyra.transport.grpc.internal.service.ApiMapper;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.StreamStatus;

/** The run that a stream is about. Thread-safe. */
final class StreamTarget {
    private final String runId;
    private final String sessionId;
    private final AtomicBoolean introduced = new AtomicBoolean();

    StreamTarget(String runId, String sessionId) {
        this.runId = runId;
        this.sessionId = sessionId;
    }

    String runId() {
        return runId;
    }

    String sessionId() {
        return sessionId;
    }

    /** Returns a message about the run to be filled; the first one names the session. */
    RunStreamEvent.Builder event(long seq) {
        RunStreamEvent.Builder event = message(runId).setSeq(seq);
        if (introduced.compareAndSet(false, true)) {
            event.setSessionId(ApiMapper.id(sessionId));
        }
        return event;
    }

    /** Returns a message that only tells a status; it names the session always. */
    RunStreamEvent status(StreamStatus status) {
        return message(runId).setSessionId(ApiMapper.id(sessionId)).setStatus(status).build();
    }

    /** Returns a message to be filled; {@code runId} is empty while it is not known. */
    static RunStreamEvent.Builder message(String runId) {
        RunStreamEvent.Builder message = RunStreamEvent.newBuilder().setV(1);
        if (!runId.isEmpty()) {
            message.setRunId(ApiMapper.id(runId));
        }
        return message;
    }
}
