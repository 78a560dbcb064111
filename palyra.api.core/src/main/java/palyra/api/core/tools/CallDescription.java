package palyra.api.core.tools;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;

/**
 * What a call would do, as a person is shown it before the answer, and what of it a person may
 * allow for more than this call. Made by the executor, which alone understands the input; recorded
 * with the question.
 *
 * @param summary one line: what exactly would run or be touched; empty means tool and input say it
 * @param argv the words of the command as the program would get them; empty when none is started
 * @param onceOnly why it may be allowed for this very call only, such as a shell that runs what its
 *     input says; empty when it may be allowed for longer
 * @param pattern what calls like it have in common; empty unless the executor can tell that every
 *     call of the pattern is as harmless as this one
 */
public record CallDescription(
        String summary, List<String> argv, String onceOnly, Optional<CallPattern> pattern) {
    private static final CallDescription NONE =
            new CallDescription("", List.of(), "", Optional.empty());

    /** Checks and copies. */
    public CallDescription {
        summary = Require.orEmpty(summary);
        argv = List.copyOf(argv);
        onceOnly = Require.orEmpty(onceOnly);
        Require.present(pattern, "pattern");
        Require.that(
                onceOnly.isEmpty() || pattern.isEmpty(),
                "a call that is allowed once only has no pattern");
    }

    /** Returns a description that says nothing beyond tool and input. */
    public static CallDescription none() {
        return NONE;
    }
}
