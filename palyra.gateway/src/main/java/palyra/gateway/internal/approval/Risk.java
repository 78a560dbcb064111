package palyra.gateway.internal.approval;

import java.util.Set;
import palyra.api.approval.RiskLevel;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.tool.Capability;

/**
 * How much harm a yes may do. Pure. A program counts as reading only when it is one of a fixed list
 * of the operating system's own, started under its real path, and nothing that the call would do
 * says otherwise.
 */
public final class Risk {
    private static final Set<String> READING_PROGRAMS =
            Set.of(
                    "cat", "find", "grep", "head", "id", "ls", "pwd", "rg", "stat", "tail", "uname",
                    "wc", "whoami");
    private static final Set<String> SYSTEM_FOLDERS = Set.of("/bin/", "/usr/bin/");
    private static final Set<Capability> WORKSPACE_READS =
            Set.of(Capability.FILESYSTEM_READ, Capability.ARTIFACTS_READ);

    private Risk() {}

    /** Returns the risk of a call. */
    public static RiskLevel of(CallForApproval call) {
        if (call.onceOnly() || (call.startsProgram() && !strictest(call.confinement()))) {
            return RiskLevel.CRITICAL;
        }
        if (!offline(call.facts())) {
            return RiskLevel.HIGH;
        }
        if (call.startsProgram()) {
            return reads(call.facts().executable()) ? RiskLevel.MEDIUM : RiskLevel.HIGH;
        }
        return call.readOnly() && WORKSPACE_READS.containsAll(call.capabilities())
                ? RiskLevel.LOW
                : RiskLevel.HIGH;
    }

    private static boolean strictest(Confinement confinement) {
        return confinement.equals(Confinement.STRICTEST);
    }

    /** Reaches nothing outside and changes nothing. */
    private static boolean offline(CallFacts facts) {
        return facts.hosts().isEmpty()
                && facts.ports().isEmpty()
                && facts.methods().isEmpty()
                && facts.secrets().isEmpty()
                && facts.writePaths().isEmpty();
    }

    private static boolean reads(String executable) {
        int name = executable.lastIndexOf('/') + 1;
        return SYSTEM_FOLDERS.contains(executable.substring(0, name))
                && READING_PROGRAMS.contains(executable.substring(name));
    }
}
