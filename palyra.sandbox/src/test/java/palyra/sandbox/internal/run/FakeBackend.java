package palyra.sandbox.internal.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.SharedSandbox;

/**
 * A sandbox that confines nothing: it starts processes as they are, with raw pipes. Its processes
 * are found by a variable in their environment. Every part of it can be broken.
 */
public final class FakeBackend implements SandboxBackend {
    final Tier tier;
    public volatile BackendStatus status = BackendStatus.ready(Map.of("fake", "1"), "fingerprint");
    public volatile PalyraException check; // null lets everything pass
    public volatile RuntimeException start;
    public volatile RuntimeException hold;
    public volatile UnaryOperator<SandboxProcess> wrap = UnaryOperator.identity();
    public volatile Function<List<String>, List<String>> argv = Function.identity();
    public volatile String enforcement = "landlock=7 seccomp=sha256:0 tier=fake";
    public final AtomicInteger starts = new AtomicInteger();
    public final AtomicInteger probes = new AtomicInteger();
    public final List<SandboxSpec> specs = new ArrayList<>(); // guarded by itself
    public volatile List<String> holder = List.of("setsid", "/bin/sleep", "100000");
    public volatile boolean refusesEnded;
    private final Set<SandboxProcess> held = ConcurrentHashMap.newKeySet();
    private final Path scratch;

    /**
     * @param scratch folder for pipes
     */
    public FakeBackend(Tier tier, Path scratch) {
        this.tier = tier;
        this.scratch = scratch;
    }

    @Override
    public Tier tier() {
        return tier;
    }

    @Override
    public String executor() {
        return "fake_tier_" + tier.name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public BackendStatus status() {
        return status;
    }

    @Override
    public BackendStatus probe() {
        probes.incrementAndGet();
        return status;
    }

    @Override
    public void check(SandboxSpec spec) {
        if (check != null) {
            throw check;
        }
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        starts.incrementAndGet();
        synchronized (specs) {
            specs.add(spec);
        }
        if (start != null) {
            throw start;
        }
        spec.shared().flatMap(SharedSandbox::holder).ifPresent(this::requireOwn);
        try {
            return wrap.apply(launched(spec, argv.apply(spec.argv())));
        } catch (IOException | InterruptedException e) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "cannot execute: " + e.getMessage(), e);
        }
    }

    @Override
    public SandboxProcess hold(SandboxSpec spec) {
        if (hold != null) {
            throw hold;
        }
        try {
            SandboxProcess made = launched(spec, holder);
            held.add(made);
            return made;
        } catch (IOException | InterruptedException e) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "cannot execute: " + e.getMessage(), e);
        }
    }

    /** As the sandboxes do that confine. */
    private void requireOwn(SandboxProcess holder) {
        try {
            if (!held.contains(holder)) {
                throw new PalyraException(ErrorCode.DENIED, "It is not of this backend.");
            }
            if (refusesEnded && holder.await(0).isPresent()) {
                throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "It has ended.");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes both or, when it is interrupted, neither: nothing is made after this has ended. */
    private static void pipes(Path out, Path err) throws IOException, InterruptedException {
        Process make = new ProcessBuilder("mkfifo", out.toString(), err.toString()).start();
        try {
            if (make.waitFor() != 0) {
                throw new IllegalStateException("mkfifo failed");
            }
        } catch (InterruptedException e) {
            make.destroyForcibly().onExit().join();
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
            throw e;
        }
    }

    private SandboxProcess launched(SandboxSpec spec, List<String> words)
            throws IOException, InterruptedException {
        Path out = scratch.resolve(spec.callId() + ".out");
        Path err = scratch.resolve(spec.callId() + ".err");
        pipes(out, err);
        RawPipe stdout = RawPipe.open(out);
        RawPipe stderr = RawPipe.open(err);
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .directory(new File(spec.workingFolder()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        if (!spec.stdinPiped()) {
            builder.redirectInput(new File("/dev/null"));
        }
        builder.environment().put(FakeProcess.MARK, FakeProcess.mark(spec.callId()));
        builder.environment().putAll(spec.environment());
        try {
            String mode = spec.egress().name().toLowerCase(java.util.Locale.ROOT);
            return new FakeProcess(
                    spec.callId(), builder.start(), stdout, stderr, mode + " " + enforcement);
        } catch (IOException e) {
            stdout.close();
            stderr.close();
            throw e;
        } finally {
            stdout.started();
            stderr.started();
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }
}
