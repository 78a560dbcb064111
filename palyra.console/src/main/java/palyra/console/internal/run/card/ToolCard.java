package palyra.console.internal.run.card;

import java.util.List;
import palyra.api.console.Level;

/**
 * Everything about one call of a tool.
 *
 * @param callId its id
 * @param tool name; empty while no record named it
 * @param input what it was proposed with, JSON text; empty when erased
 * @param state where it is, in one word or two
 * @param level how that is shown
 * @param approvalId approval request that is waiting; empty when none is
 * @param output what it said, JSON text; empty for nothing
 * @param error why it failed; empty when it did not
 * @param attested whether a statement says what was executed
 * @param steps its records, in order
 */
public record ToolCard(
        String callId,
        String tool,
        String input,
        String state,
        Level level,
        String approvalId,
        String output,
        String error,
        boolean attested,
        List<Step> steps) {
    /** Copies. */
    public ToolCard {
        steps = List.copyOf(steps);
    }

    /**
     * A record about the call.
     *
     * @param name what happened, in one or two words
     * @param sentence what the record says
     */
    public record Step(
            long seq, long timeMillis, String type, String name, Level level, String sentence) {}

    /** Returns whether a person's answer is what it waits for. */
    public boolean waits() {
        return !approvalId.isEmpty();
    }
}
