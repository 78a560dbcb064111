package palyra.api.core.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.core.access.Confinement.Egress;

/**
 * One command that is to run in a sandbox. Checked by guards already; a backend refuses what it
 * cannot confine and changes nothing.
 *
 * @param callId identifies the run of the command; letters, digits, {@code -}, {@code _} and {@code
 *     .} only, at most 64
 * @param argv the command: the first element is the absolute path of the program, {@code /…}, or
 *     {@code C:\…} on Windows. Its folder is a real path; the name in it may be a link's, because
 *     many programs do another thing under another name. A backend refuses a path that is not
 *     absolute on its host
 * @param environment the whole environment beside what the sandbox itself sets ({@code PATH},
 *     {@code HOME}, {@code TMPDIR}, {@code LANG}); never secrets of the gateway
 * @param workspace absolute real path of the folder that it may write
 * @param workingFolder absolute real path of where it starts, the workspace or below it
 * @param protectedPaths paths relative to the workspace that stay read-only inside it, such as
 *     {@code .git/hooks}; they need not exist
 * @param readOnlyPaths further absolute paths of the host that it may read
 * @param egress how the network is kept from it
 * @param proxyFolder folder with the socket {@code e.sock} of this command's own egress proxy;
 *     present only with STRICT, where it makes an allow-list; absent means offline
 * @param forbiddenPorts TCP ports of this host that it must not reach in any mode: the gateway's
 *     own
 * @param limits what it may use
 * @param permitMissing kernel features that may be missing, by the names of {@link
 *     SandboxProcess#enforcement}: {@code landlock}, {@code seccomp}, {@code cgroup}; anything else
 *     that is missing means a refusal
 * @param stdinPiped whether standard input is a pipe; the null device otherwise
 * @param shared the sandbox that it shares with other commands of its session; absent means one of
 *     its own that ends with it
 */
public record SandboxSpec(
        String callId,
        List<String> argv,
        Map<String, String> environment,
        String workspace,
        String workingFolder,
        List<String> protectedPaths,
        List<String> readOnlyPaths,
        Egress egress,
        Optional<String> proxyFolder,
        Set<Integer> forbiddenPorts,
        SandboxLimits limits,
        Set<String> permitMissing,
        boolean stdinPiped,
        Optional<SharedSandbox> shared) {
    /** How an absolute path begins on Windows: a drive and its root. */
    private static final String DRIVE = "(?s)[A-Za-z]:[\\\\/].+";

    /** Checks and copies. */
    public SandboxSpec {
        Require.that(
                callId != null && callId.matches("[A-Za-z0-9._-]{1,64}"),
                "call id '" + callId + "' is not usable for a sandbox");
        argv = List.copyOf(argv);
        Require.that(!argv.isEmpty(), "a command needs at least a program");
        Require.that(
                argv.get(0).startsWith("/") || argv.get(0).matches(DRIVE),
                "the program " + argv.get(0) + " is no absolute path: resolve it first");
        for (String argument : argv) {
            Require.that(argument.indexOf('\0') < 0, "an argument holds a NUL character");
        }
        environment = Map.copyOf(environment);
        Require.text(workspace, "workspace");
        Require.text(workingFolder, "working folder");
        protectedPaths = List.copyOf(protectedPaths);
        readOnlyPaths = List.copyOf(readOnlyPaths);
        Require.present(egress, "egress mode");
        Require.present(proxyFolder, "proxy folder");
        Require.that(
                proxyFolder.isEmpty() || egress == Egress.STRICT,
                "a proxy goes with strict egress only, not with " + egress);
        forbiddenPorts = Set.copyOf(forbiddenPorts);
        Require.present(limits, "limits");
        permitMissing = Set.copyOf(permitMissing);
        Require.present(shared, "shared sandbox");
        Require.that(
                shared.isEmpty() || egress == Egress.STRICT,
                "a shared sandbox goes with strict egress only, not with " + egress);
    }

    /** Makes a specification of a command with a sandbox of its own. */
    public SandboxSpec(
            String callId,
            List<String> argv,
            Map<String, String> environment,
            String workspace,
            String workingFolder,
            List<String> protectedPaths,
            List<String> readOnlyPaths,
            Egress egress,
            Optional<String> proxyFolder,
            Set<Integer> forbiddenPorts,
            SandboxLimits limits,
            Set<String> permitMissing,
            boolean stdinPiped) {
        this(
                callId,
                argv,
                environment,
                workspace,
                workingFolder,
                protectedPaths,
                readOnlyPaths,
                egress,
                proxyFolder,
                forbiddenPorts,
                limits,
                permitMissing,
                stdinPiped,
                Optional.empty());
    }

    /** Returns the same command in a sandbox that it shares. */
    public SandboxSpec in(SharedSandbox sandbox) {
        return with(limits, Optional.of(sandbox));
    }

    /** Returns the same command with other limits. */
    public SandboxSpec withLimits(SandboxLimits others) {
        return with(others, shared);
    }

    private SandboxSpec with(SandboxLimits itsLimits, Optional<SharedSandbox> itsSandbox) {
        return new SandboxSpec(
                callId,
                argv,
                environment,
                workspace,
                workingFolder,
                protectedPaths,
                readOnlyPaths,
                egress,
                proxyFolder,
                forbiddenPorts,
                itsLimits,
                permitMissing,
                stdinPiped,
                itsSandbox);
    }
}
