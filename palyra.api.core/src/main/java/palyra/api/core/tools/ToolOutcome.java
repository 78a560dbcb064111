package palyra.api.core.tools;

import java.util.List;
import palyra.api.Require;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolImage;

/**
 * How a started call ended.
 *
 * @param outcome never {@code DENIED}
 * @param outputJson JSON text; {@code {}} without output
 * @param error one sentence for the model; empty on success
 * @param executor what ran it: {@code builtin} …
 * @param sandboxEnforcement first the mode, then {@code key=value} facts: what was really enforced
 * @param executableSha256 digest of the executable or module; empty for built-in tools
 * @param startedAtMillis unix time in milliseconds
 * @param finishedAtMillis unix time in milliseconds
 * @param images images for models that see
 */
public record ToolOutcome(
        String callId,
        int attempt,
        Outcome outcome,
        String outputJson,
        String error,
        String executor,
        String sandboxEnforcement,
        String executableSha256,
        long startedAtMillis,
        long finishedAtMillis,
        List<ToolImage> images) {
    /** Creates one without images. */
    public ToolOutcome(
            String callId,
            int attempt,
            Outcome outcome,
            String outputJson,
            String error,
            String executor,
            String sandboxEnforcement,
            String executableSha256,
            long startedAtMillis,
            long finishedAtMillis) {
        this(
                callId,
                attempt,
                outcome,
                outputJson,
                error,
                executor,
                sandboxEnforcement,
                executableSha256,
                startedAtMillis,
                finishedAtMillis,
                List.of());
    }

    /** Checks. */
    public ToolOutcome {
        Require.text(callId, "call id");
        Require.present(outcome, "outcome");
        Require.that(outcome != Outcome.DENIED, "a call that was started is not denied");
        outputJson = outputJson == null || outputJson.isEmpty() ? "{}" : outputJson;
        error = Require.orEmpty(error);
        Require.text(executor, "executor");
        Require.text(sandboxEnforcement, "sandbox enforcement");
        executableSha256 = Require.orEmpty(executableSha256);
        images = List.copyOf(images);
    }
}
