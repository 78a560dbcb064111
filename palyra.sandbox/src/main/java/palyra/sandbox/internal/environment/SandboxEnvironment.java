package palyra.sandbox.internal.environment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.tools.EnvironmentSource;
import palyra.sandbox.internal.process.ProcessRunTool;
import palyra.sandbox.internal.process.ProcessStartTool;
import palyra.sandbox.internal.process.ProcessStatusTool;
import palyra.sandbox.internal.process.ShellTool;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.LimitText;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.workspace.Workspaces;

/**
 * Tells an agent that has tools for commands or files where they work, from the configuration and
 * the sandboxes as they are. Thread-safe.
 */
public final class SandboxEnvironment implements EnvironmentSource {
    private static final String COMMANDS = "palyra.process.";
    private static final String FILES = "palyra.fs.";
    private static final int MOST_PATHS = 6;

    /** The profile that counts for agents without one; see default.cedar. */
    private static final String WITHOUT_PROFILE = "locked";

    private final Supplier<SandboxSettings> settings;
    private final Supplier<Workspaces> workspaces;
    private final Backends backends;
    private final PresentPrograms programs;
    private final String system;

    /**
     * Creates it.
     *
     * @param system name of the operating system, for a model
     */
    public SandboxEnvironment(
            Supplier<SandboxSettings> settings,
            Supplier<Workspaces> workspaces,
            Backends backends,
            PresentPrograms programs,
            String system) {
        this.settings = settings;
        this.workspaces = workspaces;
        this.backends = backends;
        this.programs = programs;
        this.system = system;
    }

    @Override
    public String describe(Reader reader) {
        boolean commands = reader.tools().stream().anyMatch(tool -> tool.startsWith(COMMANDS));
        boolean files = reader.tools().stream().anyMatch(tool -> tool.startsWith(FILES));
        if (!commands && !files) {
            return "";
        }
        SandboxSettings now = settings.get();
        List<String> lines = new ArrayList<>();
        if (commands) {
            lines.add("System: " + system + ". " + sandbox(reader));
            best().ifPresent(backend -> lines.add(programs(backend, now)));
            lines.add(limits(now) + background(reader, now));
            lines.add(network(reader, now));
        }
        lines.add(folders(reader, now, commands));
        return "- " + String.join("\n- ", lines);
    }

    /** Returns the strictest sandbox that does not refuse; policy decides for it unless told. */
    private Optional<SandboxBackend> best() {
        return List.of(Tier.C, Tier.B).stream()
                .flatMap(tier -> backends.all().stream().filter(one -> one.tier() == tier))
                .filter(one -> one.status().state() != BackendStatus.State.REFUSING)
                .findFirst();
    }

    private String sandbox(Reader reader) {
        String where =
                best().map(backend -> where(backend.tier()))
                        .orElse(
                                "There is no sandbox on this host now, so that commands are"
                                        + " refused");
        return where
                + "; policy profile "
                + (reader.policyProfile().isEmpty() ? WITHOUT_PROFILE : reader.policyProfile())
                + ".";
    }

    private static String where(Tier tier) {
        return tier == Tier.C
                ? "Commands run in a sandbox of tier C (namespaces of the kernel) unless policy"
                        + " decides otherwise"
                : "There is a sandbox of tier B alone, so that commands are refused for which"
                        + " policy wants tier C";
    }

    private String programs(SandboxBackend backend, SandboxSettings now) {
        if (!now.guard().allowedCommands().isEmpty()) {
            return "Programs that may be run, no others: "
                    + LimitText.some(now.guard().allowedCommands().stream().sorted().toList(), 40)
                    + ".";
        }
        List<String> there = programs.in(backend, now.guard().searchPath());
        List<String> missing =
                PresentPrograms.NAMES.stream().filter(name -> !there.contains(name)).toList();
        return "Programs, of which policy decides on each call: "
                + (there.isEmpty() ? "standard utilities" : String.join(", ", there))
                + (missing.isEmpty() ? "" : ". Not there: " + String.join(", ", missing))
                + ".";
    }

    private static String limits(SandboxSettings now) {
        SandboxLimits most = now.limits();
        return "Limits of a command: "
                + LimitText.seconds(now.defaultWallMillis())
                + ", with timeout_ms up to "
                + LimitText.seconds(most.wallMillis())
                + "; "
                + LimitText.seconds(most.cpuMillis())
                + " of processor time; "
                + LimitText.bytes(most.memoryBytes())
                + " of memory; files of up to "
                + LimitText.bytes(most.fileBytes())
                + "; "
                + most.processes()
                + " processes. Of output, "
                + most.outputBytes()
                + " bytes are returned.";
    }

    private static String background(Reader reader, SandboxSettings now) {
        return reader.tools().contains(ProcessStatusTool.NAME)
                ? " In the background: "
                        + now.maxBackground()
                        + " processes in a run, each for "
                        + LimitText.seconds(now.backgroundWallMillis())
                        + "."
                : " Start nothing in the background: no tool of yours tells what became of it.";
    }

    private static String network(Reader reader, SandboxSettings now) {
        if (now.allowedHosts().isEmpty()) {
            return "Network: none. "
                    + loopback(reader)
                    + "Name what a command has to reach in hosts: policy decides, and a person may"
                    + " be asked.";
        }
        return "Network: only "
                + LimitText.hosts(now.allowedHosts())
                + ", by the proxy that is set in the environment; 127.0.0.1 is the sandbox's own."
                + (reader.tools().contains(ShellTool.NAME)
                        ? " What a line leaves running with & loses these hosts when its call ends;"
                                + " with background it keeps them."
                        : "")
                + " Name other hosts in hosts: policy decides, and a person may be asked.";
    }

    /** Without hosts, what runs in a sandbox of its own has no sockets at all. */
    private static String loopback(Reader reader) {
        boolean shell = reader.tools().contains(ShellTool.NAME);
        boolean single =
                reader.tools().contains(ProcessRunTool.NAME)
                        || reader.tools().contains(ProcessStartTool.NAME);
        if (!single) {
            return shell ? "127.0.0.1 is the sandbox's own. " : "";
        }
        return "127.0.0.1 is the session's own, "
                + (shell ? "in " + ShellTool.NAME + " and " : "")
                + "with session true; without session and hosts a program has no sockets at all. ";
    }

    private String folders(Reader reader, SandboxSettings now, boolean commands) {
        Workspaces all = workspaces.get();
        String workspace = workspace(all, reader.agentId());
        String readOnly = protectedPaths(now, Path.of(workspace));
        if (!commands) {
            return "Folders: paths are relative to the workspace, " + workspace + "." + readOnly;
        }
        boolean shell = reader.tools().contains(ShellTool.NAME);
        return "Folders: the workspace, "
                + workspace
                + ", is what stays; paths are relative to it. $HOME and /tmp are private"
                + (shell ? " and stay for shell calls of this session." : " to each call.")
                + " The system's folders are read-only, others are not there."
                + readOnly
                + (now.output().callBytes() == 0
                        ? ""
                        : " Whole long output is below " + all.outputs(reader.agentId()) + ".");
    }

    private static String protectedPaths(SandboxSettings now, Path workspace) {
        List<String> kept = now.git().frozen(now.protectedPaths().ofCommands(workspace));
        return kept.isEmpty()
                ? ""
                : " Protected, also from file tools: " + LimitText.some(kept, MOST_PATHS) + ".";
    }

    private static String workspace(Workspaces all, String agentId) {
        try {
            return all.of(agentId).toString();
        } catch (PalyraException e) {
            return "which cannot be used now";
        }
    }
}
