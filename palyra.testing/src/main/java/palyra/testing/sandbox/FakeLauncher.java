package palyra.testing.sandbox;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;

/** Records plans and answers from a script; starts nothing. */
public final class FakeLauncher implements ProcessLauncher {
    /** How a command ends. */
    public record End(boolean started, int exitCode, String output, String error) {}

    private final List<LaunchPlan> plans = new CopyOnWriteArrayList<>();
    private volatile HostFacts host;
    private volatile Function<LaunchPlan, End> script;

    /** Answers every launch in the same way. */
    public FakeLauncher(HostFacts host, Function<LaunchPlan, End> script) {
        this.host = host;
        this.script = script;
    }

    /** Returns a host that has everything. */
    public static HostFacts capable() {
        return host(1000, 7, true, Set.of("memory", "pids", "cpu"), "");
    }

    /** Returns a host. */
    public static HostFacts host(
            long uid, int landlock, boolean seccomp, Set<String> controllers, String problem) {
        return new HostFacts(
                "linux",
                "x86_64",
                "6.12",
                uid,
                "posix_spawn",
                landlock,
                seccomp,
                true,
                controllers.isEmpty() ? "" : "v2",
                controllers,
                problem);
    }

    /** Changes what the host has. */
    public void become(HostFacts other) {
        host = other;
    }

    /** Changes what commands do. */
    public void answer(Function<LaunchPlan, End> other) {
        script = other;
    }

    /** Returns what was launched. */
    public List<LaunchPlan> plans() {
        return plans;
    }

    /** Returns what was launched last. */
    public LaunchPlan last() {
        return plans.get(plans.size() - 1);
    }

    @Override
    public HostFacts host() {
        return host;
    }

    @Override
    public HostFacts refresh() {
        return host;
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        plans.add(plan);
        return new Ended(plan, script.apply(plan));
    }

    private record Ended(LaunchPlan plan, End end) implements SandboxProcess {
        @Override
        public long pid() {
            return 1;
        }

        @Override
        public InputStream stdout() {
            return stream(end.output());
        }

        @Override
        public InputStream stderr() {
            return stream(end.error());
        }

        private static InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public Optional<ExitReport> await(long millis) {
            return Optional.of(
                    new ExitReport(
                            end.started(),
                            end.exitCode(),
                            end.started() ? "" : "It did not start.",
                            false));
        }

        @Override
        public Usage usage() {
            return new Usage(-1, -1, false);
        }

        @Override
        public int kill() {
            return 0;
        }

        @Override
        public String enforcement() {
            return plan.enforcement();
        }

        @Override
        public void close() {}
    }
}
