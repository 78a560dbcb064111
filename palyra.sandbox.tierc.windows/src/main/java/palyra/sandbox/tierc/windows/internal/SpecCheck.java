package palyra.sandbox.tierc.windows.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * What a command has to accept before a job is all that holds it. Strict egress is always refused:
 * a job has no word on the network. For files, signals and the gateway's own ports the same holds,
 * so the command has to come with {@code landlock} and {@code seccomp} among what may be missing:
 * then a policy has named a sandbox that limits and does not isolate.
 */
final class SpecCheck {
    private static final Set<String> ACCEPTED = Set.of("landlock", "seccomp");

    private SpecCheck() {}

    /** Throws DENIED or INVALID_ARGUMENT when a command cannot be run as it is. */
    static void check(SandboxSpec spec) {
        if (spec.egress() == Egress.STRICT) {
            throw denied(
                    "Strict egress was asked for, and a job object of Windows cannot keep the"
                            + " network away; run the command on Linux or macOS.");
        }
        if (!spec.permitMissing().containsAll(ACCEPTED)) {
            throw denied(
                    "A job object of Windows limits and kills but does not isolate files, ports and"
                            + " processes; a policy that accepts that permits landlock and seccomp"
                            + " to be missing.");
        }
        order(spec, Map.of());
    }

    /**
     * Returns the process to start.
     *
     * @param system variables that the sandbox sets
     */
    static JobSpawner.Order order(SandboxSpec spec, Map<String, String> system) {
        String program = WindowsPaths.program(spec.argv().get(0));
        String workspace = WindowsPaths.of(spec.workspace(), "workspace");
        String folder = WindowsPaths.of(spec.workingFolder(), "working folder");
        if (!below(workspace, folder)) {
            throw denied(
                    "The working folder "
                            + folder
                            + " is not in the workspace "
                            + workspace
                            + "; start the command there.");
        }
        List<String> arguments = new ArrayList<>(spec.argv().subList(1, spec.argv().size()));
        return new JobSpawner.Order(
                program,
                CommandLine.of(program, arguments),
                EnvironmentBlock.of(spec.environment(), system),
                folder,
                spec.limits(),
                spec.stdinPiped());
    }

    private static boolean below(String workspace, String folder) {
        String start = workspace + "\\";
        return !folder.contains("\\..")
                && (folder.equalsIgnoreCase(workspace)
                        || folder.regionMatches(true, 0, start, 0, start.length()));
    }

    private static PalyraException denied(String message) {
        return new PalyraException(ErrorCode.DENIED, message);
    }
}
