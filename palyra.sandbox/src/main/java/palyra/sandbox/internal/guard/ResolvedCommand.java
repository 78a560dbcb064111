package palyra.sandbox.internal.guard;

import java.nio.file.Path;
import java.util.List;
import palyra.api.core.access.CallFacts;

/**
 * A command that a guard let through.
 *
 * @param program the file to start, absolute. The real path; only where the link it was found by
 *     has another name than the file, the link (in its folder's real path), because many programs
 *     do another thing under another name: {@code xzcat} is {@code xz}, {@code pkill} is {@code
 *     pgrep}
 * @param programSha256 digest of the file behind it, lower-case hex
 * @param argv {@code program} and the arguments exactly as they were asked for
 * @param workspace real path of the workspace
 * @param workingFolder real path of where it starts
 * @param interpreter whether the program executes its input or starts others: a shell, a scripting
 *     language, a program that starts others, a script in the workspace
 * @param facts what policies and approvals read. Beside the options given, {@code flags} holds
 *     {@code !network} when the call asks for hosts, {@code !outside}, {@code !unclear} and {@code
 *     !protected} for what {@code concerns} has, {@code !runs-programs} when the program can start
 *     others by what it was given, {@code !eval} when an interpreter is handed code as an argument,
 *     and {@code !script} when the program is a script outside of the workspace
 * @param concerns what the look of it says that only some sandboxes hold
 */
public record ResolvedCommand(
        Path program,
        String programSha256,
        List<String> argv,
        Path workspace,
        Path workingFolder,
        boolean interpreter,
        CallFacts facts,
        List<Concern> concerns) {
    /** Copies. */
    public ResolvedCommand {
        argv = List.copyOf(argv);
        concerns = List.copyOf(concerns);
    }
}
