package palyra.api.core.tools;

import java.util.List;
import palyra.api.Require;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolImage;
import palyra.api.tool.ToolResult;

/**
 * What a confined call came to.
 *
 * @param outcome how it ended; never {@code DENIED}
 * @param result the output for the model
 * @param executor what ran it, such as {@code sandbox_tier_b}
 * @param enforcement what was really enforced: first the mode, then {@code key=value} facts
 * @param executableSha256 digest of the program, lower-case hex; empty when none ran
 * @param images images for models that see; at most {@value #MOST_IMAGES}
 */
public record ConfinedResult(
        Outcome outcome,
        ToolResult result,
        String executor,
        String enforcement,
        String executableSha256,
        List<ToolImage> images) {
    /** Most images of a result. */
    public static final int MOST_IMAGES = 4;

    /** Creates one without images. */
    public ConfinedResult(
            Outcome outcome,
            ToolResult result,
            String executor,
            String enforcement,
            String executableSha256) {
        this(outcome, result, executor, enforcement, executableSha256, List.of());
    }

    /** Checks. */
    public ConfinedResult {
        Require.present(outcome, "outcome");
        Require.that(outcome != Outcome.DENIED, "a call that was started is not denied");
        Require.present(result, "result");
        Require.text(executor, "executor");
        Require.text(enforcement, "enforcement");
        executableSha256 = Require.orEmpty(executableSha256);
        images = List.copyOf(images);
        Require.that(
                images.size() <= MOST_IMAGES,
                "a result has " + images.size() + " images; at most " + MOST_IMAGES + " are taken");
    }
}
