package palyra.sandbox.posix.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.sandbox.posix.internal.cgroup.CgroupFinder;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Os;

/** A launcher and a workspace for one test. */
public final class Bench implements AutoCloseable {
    /** No test waits longer than this. */
    public static final long PATIENCE_MILLIS = 60_000;

    final PosixLauncher launcher;
    public final Path workspace;

    public Bench() throws IOException {
        this(new HostProbe(false, PosixLauncher.variable(CgroupFinder.VARIABLE)));
    }

    Bench(HostProbe probe) throws IOException {
        launcher = new PosixLauncher(new Libc(Os.here()), probe);
        workspace = Files.createTempDirectory("palyra-posix-").toRealPath();
    }

    public palyra.api.core.sandbox.HostFacts host() {
        return launcher.host();
    }

    public void endOrphans() {
        launcher.endOrphans();
    }

    /** What a command did. */
    public record Result(ExitReport report, byte[] out, byte[] err, int left) {
        public String text() {
            return new String(out, StandardCharsets.UTF_8);
        }

        public String errors() {
            return new String(err, StandardCharsets.UTF_8);
        }

        public int code() {
            return report.exitCode();
        }
    }

    public Plans sh(String script) {
        return Plans.sh(script).in(workspace);
    }

    public SandboxProcess launch(Plans plan) {
        return launcher.launch(plan.plan());
    }

    /** Runs a command to its end. */
    public Result run(Plans plans) throws Exception {
        return finish(launch(plans));
    }

    /** Waits for a command, kills what it left, and closes it. */
    public static Result finish(SandboxProcess process) throws Exception {
        try (process) {
            CompletableFuture<byte[]> out = drain(process.stdout());
            CompletableFuture<byte[]> err = drain(process.stderr());
            Optional<ExitReport> report = process.await(PATIENCE_MILLIS);
            int left = process.kill();
            if (report.isEmpty()) {
                throw new AssertionError("the command did not end");
            }
            return new Result(
                    report.get(),
                    out.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS),
                    err.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS),
                    left);
        }
    }

    /** Reads a stream to its end on a thread of its own. */
    public static CompletableFuture<byte[]> drain(InputStream stream) {
        CompletableFuture<byte[]> all = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("test-drain")
                .start(
                        () -> {
                            try {
                                ByteArrayOutputStream read = new ByteArrayOutputStream();
                                stream.transferTo(read);
                                all.complete(read.toByteArray());
                            } catch (IOException | RuntimeException broken) {
                                all.completeExceptionally(broken);
                            }
                        });
        return all;
    }

    /** Rules that let programs of the system run and the workspace be written. */
    public Landlock rules(PathRule... more) {
        return rules(false, List.of(), more);
    }

    public Landlock rules(boolean tcp, List<Integer> ports, PathRule... more) {
        List<PathRule> all = new java.util.ArrayList<>(List.of(more));
        for (String path : List.of("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache")) {
            all.add(new PathRule(path, Access.EXECUTE));
        }
        all.add(new PathRule("/dev/null", Access.DEVICE));
        all.add(new PathRule("/dev/zero", Access.DEVICE));
        all.add(new PathRule(workspace.toString(), Access.WRITE));
        return new Landlock(true, all, tcp, java.util.Set.copyOf(ports), true);
    }

    /** The same rules, and metadata beneath what may be written only. */
    public Landlock supervised(PathRule... more) {
        Landlock open = rules(more);
        return new Landlock(true, open.paths(), false, java.util.Set.of(), true, true);
    }

    /** Waits until something is so. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("never happened: " + what);
            }
            Thread.sleep(10);
        }
    }

    /** Waits for a file that a command writes, and returns its stripped content. */
    public String awaitFile(String name) throws Exception {
        Path file = workspace.resolve(name);
        await(name, () -> Files.exists(file) && file.toFile().length() > 0);
        return Files.readString(file).strip();
    }

    /** Returns whether a process runs; zombies do not. */
    public static boolean lives(long pid) {
        return new palyra.sandbox.posix.internal.process.ProcessTable(Path.of("/proc")).lives(pid);
    }

    /** Stops the launcher, as an update of its bundle does. */
    public void closeLauncher() {
        launcher.close();
    }

    @Override
    public void close() throws IOException {
        launcher.close();
        try (Stream<Path> all = Files.walk(workspace)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
