package palyra.api.core.tools;

import org.osgi.annotation.versioning.ConsumerType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;

/**
 * A tool whose calls reach beyond their input: what a call would do is found out before it is
 * decided, and it runs as confined as was decided. Registered as a {@link Tool}; executors know it
 * by this interface.
 */
@ConsumerType
public interface ConfinedTool extends Tool {
    /**
     * Finds out what a call would do; see {@link ToolExecutor#examine}. Called from any thread,
     * several at a time.
     */
    ToolExamination examine(ToolProposed proposed);

    /**
     * Does the work and returns, as {@link Tool#execute}: the thread is interrupted when the call
     * is to stop.
     */
    ConfinedResult run(ToolOrder order) throws Exception;

    /**
     * Returns whether a call that was started and then lost may be started again; see {@link
     * ToolExecutor#mayRepeat}. A tool that runs foreign code says no: the code may have been what
     * ended the process.
     */
    default boolean mayRepeat(String callId, int attempt) {
        return false;
    }

    /** Returns what is left of a call that was lost; see {@link ToolExecutor#leftBy}. */
    default String leftBy(String agentId, String callId, int attempt) {
        return "";
    }

    /** Refuses: without an order the confinement of the call is unknown. */
    @Override
    default ToolResult execute(ToolInvocation invocation) {
        throw new PalyraException(
                ErrorCode.DENIED,
                "Tool "
                        + descriptor().name()
                        + " was started without a confinement; only an executor that knows one may"
                        + " start it.");
    }
}
