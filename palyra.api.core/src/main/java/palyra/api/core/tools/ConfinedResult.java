package palyra.api.core.tools;

import palyra.api.Require;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;

/**
 * What a confined call came to.
 *
 * @param outcome how it ended; never {@code DENIED}
 * @param result the output for the model
 * @param executor what ran it, such as {@code sandbox_tier_b}
 * @param enforcement what was really enforced: first the mode, then {@code key=value} facts
 * @param executableSha256 digest of the program, lower-case hex; empty when none ran
 */
public record ConfinedResult(
        Outcome outcome,
        ToolResult result,
        String executor,
        String enforcement,
        String executableSha256) {
    /** Checks. */
    public ConfinedResult {
        Require.present(outcome, "outcome");
        Require.that(outcome != Outcome.DENIED, "a call that was started is not denied");
        Require.present(result, "result");
        Require.text(executor, "executor");
        Require.text(enforcement, "enforcement");
        executableSha256 = Require.orEmpty(executableSha256);
    }
}
