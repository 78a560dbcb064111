package palyra.gateway.internal.engine.tool;

import java.util.Map;
import java.util.Set;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.fold.Call;
import palyra.shared.fold.CallState;

/**
 * Keeps the calls of one step that share the workspace in the order in which the model proposed
 * them. A call that may change it is left undecided while an earlier one waits for people, whose
 * answer is bound to what the workspace holds. A call that people have to be asked about is left
 * undecided until the earlier ones that may change the workspace have ended, so that the answer is
 * about what it will find. Calls that only read go on. Takes the open calls in proposal order; for
 * one unit.
 */
final class WorkspaceOrder {
    private static final Set<Capability> CHANGE =
            Set.of(Capability.PROCESS_EXEC, Capability.FILESYSTEM_WRITE);

    private final Map<String, ToolDescriptor> offered;
    private boolean asked; // an earlier call that shares the workspace waits for people
    private boolean changes; // an earlier call may change the workspace and has not ended

    WorkspaceOrder(Map<String, ToolDescriptor> offered) {
        this.offered = offered;
    }

    /** Takes a call that is not decided in this unit. */
    void passed(Call call) {
        took(call, call.state() == CallState.WAITING, call.state() == CallState.DECIDED);
    }

    /** Takes a call that was decided; returns whether the decision is not to be recorded yet. */
    boolean holds(Call call, Verdict verdict) {
        boolean asks = verdict == Verdict.APPROVAL_REQUIRED;
        boolean starts = verdict == Verdict.ALLOW;
        boolean held =
                call.state() != CallState.DECIDED
                        && (asked && mayChange(call) && (asks || starts)
                                || changes && asks && shares(call));
        took(call, asks, starts);
        return held;
    }

    private void took(Call call, boolean asks, boolean starts) {
        asked |= asks && shares(call);
        changes |= starts && mayChange(call);
    }

    private boolean shares(Call call) {
        ToolDescriptor tool = offered.get(call.proposal().tool());
        return tool != null
                && (mayChange(call) || tool.capabilities().contains(Capability.FILESYSTEM_READ));
    }

    private boolean mayChange(Call call) {
        ToolDescriptor tool = offered.get(call.proposal().tool());
        return tool != null
                && !tool.readOnly()
                && tool.capabilities().stream().anyMatch(CHANGE::contains);
    }
}
