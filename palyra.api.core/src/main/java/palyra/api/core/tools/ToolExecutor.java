package palyra.api.core.tools;

import java.util.List;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.core.access.CallFacts;
import palyra.api.tool.ToolDescriptor;

/**
 * Owns running tool calls by call id, so that they outlive an update of the gateway. Registered as
 * a service by each bundle that can run tools. Thread-safe; no method blocks for longer than it
 * takes to start a thread.
 *
 * <p>Outcomes are kept until {@link #forget}, at least for 10 minutes and at most {@link #MAX_KEPT}
 * of them.
 */
@ProviderType
public interface ToolExecutor {
    /** Most outcomes kept for callers that did not come back. */
    int MAX_KEPT = 4_096;

    /** Returns the tools that it can run now. */
    List<ToolDescriptor> catalogue();

    /**
     * Examines a proposed call before it is decided: what it would do, or why it cannot be taken at
     * all. Changes nothing and takes milliseconds.
     *
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when the tool is gone
     */
    default ToolExamination examine(ToolProposed proposed) {
        return ToolExamination.facts(CallFacts.none());
    }

    /**
     * Starts a call and returns. The outcome goes to {@code sink} once, on a thread of the
     * executor, unless another sink was attached since. Starting a call id and attempt that runs or
     * is kept does not start it again: it only attaches.
     *
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when the tool is gone, RESOURCE_EXHAUSTED
     *     when too many calls run, INVALID_ARGUMENT when the input is larger than the tool takes,
     *     DENIED when the call is not what was decided on any more: nothing was started
     */
    void start(ToolOrder order, Consumer<ToolOutcome> sink);

    /** Replaces the sink of a running call, or returns its outcome, or says that it is unknown. */
    ToolLookup attach(String callId, int attempt, Consumer<ToolOutcome> sink);

    /**
     * Returns whether a call that was started, and of which {@link #attach} knows nothing, may be
     * started again. Asked on resume, of calls of idempotent tools only: that repeating is harmless
     * is the tool's word, and this is the executor's, who knows whether the call may have been what
     * ended the process. An executor that does not know says no, and the call is reported as
     * interrupted.
     *
     * @param attempt the start that was lost, from 1
     */
    default boolean mayRepeat(String toolName, String callId, int attempt) {
        return false;
    }

    /**
     * Returns what is left of a call that was started, and of which {@link #attach} knows nothing:
     * a sentence for the model, such as where its output is, and the end of that; empty when
     * nothing is known.
     *
     * @param attempt the start that was lost, from 1
     */
    default String leftBy(String toolName, String agentId, String callId, int attempt) {
        return "";
    }

    /**
     * Asks a running call to stop; its outcome is {@code CANCELLED} unless it ends otherwise first.
     * Unknown ids are ignored.
     */
    void cancel(String callId);

    /** Drops a kept outcome, because it is on the tape. */
    void forget(String callId);
}
