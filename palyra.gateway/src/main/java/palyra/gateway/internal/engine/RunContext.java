package palyra.gateway.internal.engine;

import java.util.List;
import palyra.api.core.gateway.AgentView;
import palyra.api.model.ModelMessage;

/**
 * What does not change while a run is worked on.
 *
 * @param messageId message that began it, ULID; empty when none is known
 * @param epoch epoch under which this engine holds it
 * @param agent the agent as it was when the work began
 * @param earlier earlier exchanges of the session, oldest first
 */
record RunContext(
        String runId,
        String sessionId,
        String principal,
        String surface,
        String messageId,
        long epoch,
        AgentView agent,
        List<ModelMessage> earlier) {}
