package palyra.sandbox.tierc.macos.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.tierc.macos.internal.bridge.Bridge;
import palyra.sandbox.tierc.macos.internal.watch.Family;
import palyra.sandbox.tierc.macos.internal.watch.ProcessTable;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog;
import palyra.shared.files.TemporaryFolder;

/** Starts commands that were checked. Thread-safe. */
final class Starter {
    private static final Logger LOG = LoggerFactory.getLogger(Starter.class);

    private final ProcessLauncher launcher;
    private final ProcessTable table;
    private final Path sandboxExec;
    private final Optional<String> state;

    /**
     * Creates a starter.
     *
     * @param state real path of the gateway's state, which no command may read
     */
    Starter(
            ProcessLauncher launcher,
            ProcessTable table,
            Path sandboxExec,
            Optional<String> state) {
        this.launcher = launcher;
        this.table = table;
        this.sandboxExec = sandboxExec;
        this.state = state;
    }

    /**
     * Starts a command.
     *
     * @param afterwards called once, when the process has been closed
     * @throws PalyraException as the launcher; nothing is left behind then
     */
    SandboxProcess start(SandboxSpec spec, Reading reading, Runnable afterwards) {
        List<AutoCloseable> held = new ArrayList<>();
        try {
            TemporaryFolder scratch = TemporaryFolder.make();
            held.add(scratch);
            Optional<Bridge> bridge = bridge(spec);
            bridge.ifPresent(held::add);
            LaunchPlan plan = plan(spec, reading, scratch.path().toString(), bridge);
            SandboxProcess process = launcher.launch(plan);
            held.add(process);
            return watched(spec, process, held, afterwards);
        } catch (RuntimeException | Error e) {
            giveBack(held);
            throw e;
        }
    }

    private static Optional<Bridge> bridge(SandboxSpec spec) {
        if (spec.egress() != Egress.STRICT) {
            return Optional.empty();
        }
        return spec.proxyFolder()
                .map(folder -> Bridge.open(spec.callId(), Path.of(folder).resolve("e.sock")));
    }

    private SandboxProcess watched(
            SandboxSpec spec,
            SandboxProcess process,
            List<AutoCloseable> held,
            Runnable afterwards) {
        Family family = new Family(Math.toIntExact(process.pid()), table);
        SandboxLimits limits = spec.limits();
        Watchdog watchdog =
                new Watchdog(
                        spec.callId(),
                        family,
                        new Watchdog.Bounds(
                                limits.memoryBytes(), limits.cpuMillis(), limits.processes()),
                        () -> runs(process),
                        () -> {
                            process.kill();
                            family.kill();
                        });
        watchdog.start();
        return new MacProcess(
                process,
                family,
                watchdog,
                () -> {
                    giveBack(held);
                    afterwards.run();
                });
    }

    private static boolean runs(SandboxProcess process) {
        try {
            return process.await(0).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Last one first; the process itself may have been closed already, which is no error. */
    private static void giveBack(List<AutoCloseable> held) {
        for (int i = held.size() - 1; i >= 0; i--) {
            try {
                held.get(i).close();
            } catch (Exception e) {
                LOG.warn("Something that a sandboxed command had cannot be given back.", e);
            }
        }
    }

    private LaunchPlan plan(
            SandboxSpec spec, Reading reading, String scratch, Optional<Bridge> bridge) {
        OptionalInt port =
                bridge.isPresent() ? OptionalInt.of(bridge.get().port()) : OptionalInt.empty();
        Profile profile = Profile.of(spec, reading, scratch, state, port);
        List<String> argv = new ArrayList<>(profile.arguments(sandboxExec.toString()));
        argv.addAll(spec.argv());
        return new LaunchPlan(
                spec.callId(),
                argv,
                LaunchEnvironment.of(spec.environment(), scratch, bridge.map(Bridge::url)),
                spec.workingFolder(),
                rlimits(spec.limits()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                0,
                spec.stdinPiped(),
                enforcement(spec, reading));
    }

    /**
     * Address space is not limited: macOS refuses that, the watchdog counts memory. The number of
     * processes is the user's on macOS, not the command's, so those that are there come on top.
     */
    private LaunchPlan.Rlimits rlimits(SandboxLimits limits) {
        long cpuSeconds = (limits.cpuMillis() + 999) / 1_000;
        int processes = table.count(launcher.host().effectiveUid()) + limits.processes();
        return new LaunchPlan.Rlimits(
                cpuSeconds, 0, limits.fileBytes(), limits.openFiles(), processes);
    }

    private static String enforcement(SandboxSpec spec, Reading reading) {
        String network =
                switch (spec.egress()) {
                    case NONE, PREFLIGHT -> "open";
                    case STRICT -> spec.proxyFolder().isPresent() ? "allowlist" : "offline";
                };
        return spec.egress().name().toLowerCase(java.util.Locale.ROOT)
                + " sandbox=seatbelt profile="
                + reading.text()
                + ":"
                + ProfileParts.digest().substring(0, 16)
                + " egress="
                + network
                + " memory=watchdog cpu=rlimit+watchdog processes=rlimit+watchdog"
                + " scratch=unbounded protected="
                + spec.protectedPaths().size()
                + " evidence=evaluator";
    }
}
