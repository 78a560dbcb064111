package palyra.sandbox.internal.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import palyra.api.Require;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.sandbox.internal.git.GitChoice;
import palyra.sandbox.internal.guard.GuardSettings;
import palyra.sandbox.internal.output.OutputBounds;
import palyra.sandbox.internal.shape.CommandRows;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.shared.settings.Bounds;

/**
 * Checked configuration.
 *
 * @param workspaces folder of workspaces, absolute
 * @param agentWorkspaces workspaces of single agents
 * @param guard what the guard of commands is made with
 * @param permitMissing see {@link SandboxConfiguration#permitMissing}
 * @param limits what a command may use unless it asks for less
 * @param defaultWallMillis wall-clock time of a command that gives none
 * @param maxRunning most commands at one time
 * @param graceMillis time for commands whose backend leaves
 * @param allowedHosts what a command may reach that names no hosts
 * @param egressBytes budget of an egress proxy
 * @param maxBackground most background processes of a run
 * @param backgroundMaxMillis longest silence about a background process
 * @param backgroundWallMillis longest life of a background process
 * @param canaryMillis time between two tests of a sandbox
 * @param commandRows commands that a person may allow for longer than once
 * @param git how repositories are protected, and who commits
 * @param workspaceQuota how much a workspace may hold
 * @param sessions sandboxes of sessions
 * @param output how much of the output of commands is kept in files
 * @param approvalMaxFiles most files and folders of a workspace that an answer is bound to
 */
public record SandboxSettings(
        Path workspaces,
        Map<String, Path> agentWorkspaces,
        GuardSettings guard,
        Set<String> permitMissing,
        SandboxLimits limits,
        long defaultWallMillis,
        int maxRunning,
        int graceMillis,
        List<AllowedHost> allowedHosts,
        long egressBytes,
        int maxBackground,
        long backgroundMaxMillis,
        long backgroundWallMillis,
        long canaryMillis,
        CommandRows commandRows,
        int approvalMaxFiles,
        GitChoice git,
        DiskQuota workspaceQuota,
        Sessions sessions,
        OutputBounds output) {
    /**
     * Sandboxes that the commands of a session share.
     *
     * @param most how many there may be
     * @param idleMillis how long one is kept without a command
     * @param wallMillis longest life
     * @param quota what its folders may hold
     */
    public record Sessions(int most, long idleMillis, long wallMillis, DiskQuota quota) {
        private static final long FILES = 1_000_000;

        /** Checks. */
        public Sessions {
            within("maxSessions", most, 1, 1_000);
            within("sessionIdleMillis", idleMillis, 1_000, 86_400_000);
            within("sessionWallMillis", wallMillis, 1_000, 604_800_000);
            within("sessionBytes", quota.bytes(), 1 << 20, 1L << 40);
        }

        private static Sessions from(SandboxConfiguration configuration) {
            return new Sessions(
                    configuration.maxSessions(),
                    configuration.sessionIdleMillis(),
                    configuration.sessionWallMillis(),
                    new DiskQuota(configuration.sessionBytes(), FILES));
        }
    }

    private static final Set<String> FEATURES = Set.of("landlock", "seccomp", "cgroup");

    /** Checks and copies. */
    public SandboxSettings {
        Require.that(
                workspaces.isAbsolute(),
                "workspaces is " + workspaces + ": use an absolute folder");
        agentWorkspaces = Map.copyOf(agentWorkspaces);
        permitMissing = Set.copyOf(permitMissing);
        allowedHosts = List.copyOf(allowedHosts);
        guard.searchPath().forEach(path -> requireAbsolute("searchPath", path));
        guard.readOnlyPaths().forEach(path -> requireAbsolute("readOnlyPaths", path));
        for (String feature : permitMissing) {
            Require.that(
                    FEATURES.contains(feature),
                    "permitMissing has '" + feature + "'; it takes landlock, seccomp and cgroup");
        }
        within("maxRunning", maxRunning, 1, 1_000);
        within("memoryBytes", limits.memoryBytes(), 1, 1L << 40);
        within("graceMillis", graceMillis, 0, 60_000);
        within("wallMillis", limits.wallMillis(), 100, 600_000);
        within("defaultWallMillis", defaultWallMillis, 100, 600_000);
        within("outputFileBytes", output.callBytes(), 0, 1L << 40);
        within("outputFiles", output.files(), 2, 100_000);
        within("outputHours", TimeUnit.MILLISECONDS.toHours(output.maxAgeMillis()), 1, 87_600);
        within("outputBytes", limits.outputBytes(), 1_024, 16 << 20);
        within("egressBytes", egressBytes, 1_024, 1L << 40);
        within("maxBackground", maxBackground, 0, 100);
        within("backgroundMaxMillis", backgroundMaxMillis, 1_000, 86_400_000);
        within("backgroundWallMillis", backgroundWallMillis, 1_000, 86_400_000);
        within("canaryMinutes", TimeUnit.MILLISECONDS.toMinutes(canaryMillis), 1, 10_080);
        within("approvalMaxFiles", approvalMaxFiles, 1, 10_000_000);
        within("workspaceBytes", workspaceQuota.bytes(), 1 << 20, 1L << 40);
        within("workspaceFiles", workspaceQuota.files(), 100, 100_000_000);
    }

    /**
     * Reads the configuration.
     *
     * @param defaultWorkspaces where workspaces are unless it says otherwise
     */
    public static SandboxSettings from(SandboxConfiguration configuration, Path defaultWorkspaces) {
        Path made =
                configuration.workspaces().isBlank()
                        ? defaultWorkspaces
                        : Path.of(configuration.workspaces());
        ProtectedPaths kept = new ProtectedPaths(List.of(configuration.protectedPaths()), made);
        return new SandboxSettings(
                made,
                agentWorkspaces(configuration.agentWorkspaces()),
                new GuardSettings(
                        Set.copyOf(List.of(configuration.allowedCommands())),
                        configuration.allowInterpreters(),
                        List.of(configuration.searchPath()),
                        List.of(configuration.readOnlyPaths()),
                        kept),
                Set.copyOf(List.of(configuration.permitMissing())),
                new SandboxLimits(
                        configuration.wallMillis(),
                        configuration.cpuMillis(),
                        configuration.memoryBytes() == 0
                                ? HostMemory.shareOf(4, 512L << 20, 1L << 40)
                                : configuration.memoryBytes(),
                        configuration.processes(),
                        configuration.fileBytes(),
                        configuration.openFiles(),
                        configuration.outputBytes(),
                        configuration.scratchBytes() == 0
                                ? HostMemory.shareOf(8, 64L << 20, 2L << 30)
                                : configuration.scratchBytes()),
                Math.min(configuration.defaultWallMillis(), configuration.wallMillis()),
                configuration.maxRunning(),
                configuration.graceMillis(),
                allowedHosts(configuration.allowedHosts()),
                configuration.egressBytes(),
                configuration.maxBackground(),
                configuration.backgroundMaxMillis(),
                configuration.backgroundWallMillis(),
                TimeUnit.MINUTES.toMillis(configuration.canaryMinutes()),
                configuration.commandRowsFile().isBlank()
                        ? CommandRows.SHIPPED
                        : CommandRows.with(Path.of(configuration.commandRowsFile().strip())),
                configuration.approvalMaxFiles(),
                new GitChoice(
                        configuration.gitConfig(),
                        configuration.gitName().strip(),
                        configuration.gitEmail().strip()),
                new DiskQuota(configuration.workspaceBytes(), configuration.workspaceFiles()),
                Sessions.from(configuration),
                new OutputBounds(
                        configuration.outputFileBytes(),
                        configuration.workspaceBytes(),
                        configuration.outputFiles(),
                        TimeUnit.HOURS.toMillis(configuration.outputHours())));
    }

    /** Returns what commands and file tools must not write; see {@link ProtectedPaths}. */
    public ProtectedPaths protectedPaths() {
        return guard.protectedPaths();
    }

    private static List<AllowedHost> allowedHosts(String[] entries) {
        List<AllowedHost> hosts = new ArrayList<>();
        for (String entry : entries) {
            Require.that(
                    entry.strip().matches("(\\*\\.)?[A-Za-z0-9._-]+(:[0-9]{1,5})?"),
                    SandboxConfiguration.PID
                            + ": allowedHosts has '"
                            + entry
                            + "'; use HOST, HOST:PORT or *.HOST");
            hosts.add(AllowedHost.parse(entry.strip()));
        }
        return hosts;
    }

    private static Map<String, Path> agentWorkspaces(String[] entries) {
        Map<String, Path> folders = new LinkedHashMap<>();
        for (String entry : entries) {
            int equals = entry.indexOf('=');
            Require.that(
                    equals > 0 && entry.startsWith("/", equals + 1),
                    "agentWorkspaces has '" + entry + "': write AGENT=/absolute/folder");
            Path before =
                    folders.put(
                            entry.substring(0, equals).strip(),
                            Path.of(entry.substring(equals + 1)));
            Require.that(before == null, "agentWorkspaces names one agent twice: " + entry);
        }
        return folders;
    }

    private static void requireAbsolute(String name, String path) {
        Require.that(Path.of(path).isAbsolute(), name + " has '" + path + "': use absolute paths");
    }

    private static void within(String name, long value, long least, long most) {
        Bounds.within(SandboxConfiguration.PID, name, value, least, most);
    }
}
