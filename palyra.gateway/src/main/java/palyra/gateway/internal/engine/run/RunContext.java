package palyra.gateway.internal.engine.run;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.gateway.AgentView;
import palyra.api.model.ModelCaller;
import palyra.api.model.ModelMessage;

/**
 * The properties of a run that do not change while its worker runs.
 *
 * @param messageId message that began it, ULID; empty when none is known
 * @param epoch epoch under which this engine holds it
 * @param agent the agent as it was when the work began
 * @param earlier earlier exchanges of the session, oldest first
 * @param caller on whose behalf models are asked
 * @param person principal whose credential started the run: its own, or the one that spoke for it
 * @param origin where on a chat platform it was asked, and its answer goes; null for none
 * @param latest the agent as it is now: which models its turns are asked of
 */
public record RunContext(
        String runId,
        String sessionId,
        String principal,
        String surface,
        String messageId,
        long epoch,
        AgentView agent,
        List<ModelMessage> earlier,
        ModelCaller caller,
        String person,
        MessageOrigin origin,
        Supplier<AgentView> latest) {
    /** Creates one of which the caller is not known and the agent does not change. */
    public RunContext(
            String runId,
            String sessionId,
            String principal,
            String surface,
            String messageId,
            long epoch,
            AgentView agent,
            List<ModelMessage> earlier) {
        this(
                runId,
                sessionId,
                principal,
                surface,
                messageId,
                epoch,
                agent,
                earlier,
                ModelCaller.UNKNOWN,
                principal,
                null,
                () -> agent);
    }
}
