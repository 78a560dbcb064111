package palyra.testing.sandbox;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * Runs commands in sandboxes and prints one line for each: {@code mode, id, ok or ESCAPED or
 * BROKEN, detail}, separated by tabs.
 */
public final class Attempts {
    /** What the command may use: enough for the list, too little for what it tries. */
    public static final SandboxLimits LIMITS =
            new SandboxLimits(20_000, 2_000, 512L << 20, 64, 16L << 20, 64, 1L << 20, 16L << 20);

    private static final AtomicInteger CALLS = new AtomicInteger();

    private final SandboxBackend backend;
    private final SandboxTestBed stand;
    private final Set<String> controlled = new HashSet<>();

    /** Tries with one backend. */
    public Attempts(SandboxBackend backend, SandboxTestBed stand) {
        this.backend = backend;
        this.stand = stand;
    }

    /** Returns an order for a script in a workspace. */
    public SandboxSpec spec(
            Egress egress, Optional<String> proxyFolder, Path workspace, List<String> argv) {
        Map<String, String> environment = new HashMap<>(stand.environment(workspace));
        return new SandboxSpec(
                "call-" + CALLS.incrementAndGet(),
                argv,
                environment,
                workspace.toString(),
                workspace.toString(),
                List.of(".git/hooks", ".git/config", ".mcp.json", ".vscode"),
                List.of(),
                egress,
                proxyFolder,
                Set.of(stand.forbiddenPort()),
                LIMITS,
                Set.of("cgroup"),
                false);
    }

    /** Tries everything of a list. */
    public void all(
            String mode,
            Egress egress,
            Optional<String> proxyFolder,
            Path workspace,
            List<Abuse> abuses)
            throws Exception {
        for (Abuse abuse : abuses) {
            SandboxSpec spec =
                    spec(egress, proxyFolder, workspace, List.of("/bin/sh", "-c", abuse.command()));
            ProcessEnd trial;
            try (SandboxProcess process = backend.start(spec)) {
                trial = ProcessEnd.of(process, 20_000);
            }
            String verdict = verdict(abuse, trial, workspace);
            print(mode, abuse.id(), verdict, trial);
            control(abuse, workspace);
        }
    }

    private String verdict(Abuse abuse, ProcessEnd trial, Path workspace) throws Exception {
        if (!trial.started()) {
            return "BROKEN";
        }
        boolean worked =
                abuse.hostCheck().isEmpty()
                        ? trial.exitCode() == 0
                        : stand.outside(abuse.hostCheck(), workspace) == 0;
        return worked ? "ESCAPED" : "ok";
    }

    /** Proves once that the command works where nothing keeps it from working. */
    private void control(Abuse abuse, Path workspace) throws Exception {
        if ("-".equals(abuse.control()) || !controlled.add(abuse.id())) {
            return;
        }
        String script = abuse.control().isEmpty() ? abuse.command() : abuse.control();
        int code = stand.outside(script, workspace);
        if (code == 0 && abuse.control().isEmpty() && !abuse.hostCheck().isEmpty()) {
            code = stand.outside(abuse.hostCheck(), workspace);
        }
        stand.outside("rm -f \"$HOST/wr_out\" \"$HOST/wr_via_link\" lw", workspace);
        System.out.println(
                "control\t" + abuse.id() + "\t" + (code == 0 ? "ok" : "BROKEN") + "\texit " + code);
    }

    /** Prints a result. */
    public static void print(String mode, String id, String verdict, ProcessEnd trial) {
        String detail = "exit " + trial.exitCode() + " [" + trial.output() + "] " + trial.problem();
        System.out.println(
                mode
                        + "\t"
                        + id
                        + "\t"
                        + verdict
                        + "\t"
                        + detail.replace('\n', ' ').replace('\t', ' '));
    }
}
