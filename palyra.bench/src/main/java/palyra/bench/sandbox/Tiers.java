package palyra.bench.sandbox;

import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.posix.internal.PosixComponent;
import palyra.sandbox.posix.internal.folder.FolderComponent;
import palyra.sandbox.tierb.internal.TierBBackend;
import palyra.sandbox.tierc.linux.internal.TierCBackend;

/** The product's own backends on the product's own launcher, without a framework around them. */
final class Tiers implements AutoCloseable {
    private static final SandboxLimits LIMITS =
            new SandboxLimits(60_000, 60_000, 512L << 20, 128, 64L << 20, 256, 1L << 30, 64L << 20);

    private final PosixComponent posix = new PosixComponent();
    private final RecordingLauncher launcher = new RecordingLauncher(posix);
    private final Path workspace;
    private final AtomicLong calls = new AtomicLong();
    private final Map<String, SandboxBackend> backends;

    /** Opens all tiers over a workspace below a folder. */
    Tiers(Path folder) throws Exception {
        workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        backends =
                new java.util.TreeMap<>(Map.of("tierb", tierB(launcher), "tierc", tierC(launcher)));
    }

    static SandboxBackend tierB(ProcessLauncher launcher) throws Exception {
        Object settings = make("palyra.sandbox.tierb.internal.TierBSettings", List.of());
        return (SandboxBackend)
                make(TierBBackend.class.getName(), launcher, new FolderComponent(), settings);
    }

    static SandboxBackend tierC(ProcessLauncher launcher) throws Exception {
        Object settings =
                make("palyra.sandbox.tierc.linux.internal.TierCSettings", "", "", List.of());
        return (SandboxBackend)
                make(TierCBackend.class.getName(), launcher, settings, Path.of("/proc/sys"));
    }

    /** Bundles show nothing, so this takes the constructor with as many parameters. */
    private static Object make(String type, Object... arguments) throws Exception {
        for (Constructor<?> constructor : Class.forName(type).getDeclaredConstructors()) {
            if (constructor.getParameterCount() == arguments.length) {
                constructor.setAccessible(true);
                return constructor.newInstance(arguments);
            }
        }
        throw new IllegalStateException(type + " has no constructor of " + arguments.length);
    }

    /**
     * Returns the tiers that work here, in order; prints their enforcement, or why they do not
     * work.
     */
    List<String> ready(Output output) throws Exception {
        List<String> names = new java.util.ArrayList<>();
        for (Map.Entry<String, SandboxBackend> each : backends.entrySet()) {
            BackendStatus status = each.getValue().probe();
            if (status.state() == BackendStatus.State.READY) {
                names.add(each.getKey());
                try (SandboxProcess process = start(each.getKey(), "/bin/true")) {
                    Trials.end(process);
                    output.fact(each.getKey(), process.enforcement());
                }
            } else {
                output.fact(each.getKey(), "left out: " + status.cause() + " " + status.remedy());
            }
        }
        return names;
    }

    /** Starts a command in a tier: offline, with every limit, in a workspace of its own. */
    SandboxProcess start(String tier, String... argv) {
        return backends.get(tier).start(spec(argv));
    }

    private SandboxSpec spec(String... argv) {
        return new SandboxSpec(
                "bench-" + calls.incrementAndGet(),
                List.of(argv),
                Map.of(),
                workspace.toString(),
                workspace.toString(),
                List.of(".git/hooks", ".git/config"),
                List.of(),
                Egress.STRICT,
                Optional.empty(),
                Set.of(),
                LIMITS,
                Set.of("cgroup"),
                false);
    }

    /** Returns the folder that commands may write. */
    Path workspace() {
        return workspace;
    }

    /** Returns the launcher, which knows what was launched last. */
    RecordingLauncher launcher() {
        return launcher;
    }

    @Override
    public void close() {
        posix.stop();
    }
}
