package palyra.api.core.tools;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;

/**
 * What a call would do, as a person is shown it before the answer, and what of it a person may
 * allow for more than this call. Made by the executor, which alone understands the input; recorded
 * with the approval request.
 *
 * @param summary one line: what exactly would run or be touched; empty means tool and input say it
 * @param argv the words of the command as the program would get them; empty when none is started
 * @param onceOnly why it may be allowed for this very call only, such as a shell that runs what its
 *     input says; empty when it may be allowed for longer
 * @param pattern what calls like it have in common; empty unless the executor can tell that every
 *     call of the pattern is as harmless as this one
 * @param workspaceNotes what a person has to know of the workspace: what runs in it, what changed
 *     since the state that the proposal names; one line each, bounded; may be empty
 */
public record CallDescription(
        String summary,
        List<String> argv,
        String onceOnly,
        Optional<CallPattern> pattern,
        List<String> workspaceNotes) {
    private static final CallDescription NONE =
            new CallDescription("", List.of(), "", Optional.empty());

    /** Checks and copies. */
    public CallDescription {
        summary = Require.orEmpty(summary);
        argv = List.copyOf(argv);
        onceOnly = Require.orEmpty(onceOnly);
        Require.present(pattern, "pattern");
        workspaceNotes = List.copyOf(workspaceNotes);
        Require.that(
                onceOnly.isEmpty() || pattern.isEmpty(),
                "a call that is allowed once only has no pattern");
    }

    /** Creates a description without a word about the workspace. */
    public CallDescription(
            String summary, List<String> argv, String onceOnly, Optional<CallPattern> pattern) {
        this(summary, argv, onceOnly, pattern, List.of());
    }

    /** Returns the same description with what a person has to know of the workspace. */
    public CallDescription with(List<String> notes) {
        return new CallDescription(summary, argv, onceOnly, pattern, notes);
    }

    /** Returns a description that says nothing beyond tool and input. */
    public static CallDescription none() {
        return NONE;
    }
}
