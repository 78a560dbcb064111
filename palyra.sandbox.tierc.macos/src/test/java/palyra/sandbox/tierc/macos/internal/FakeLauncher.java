package palyra.sandbox.tierc.macos.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.tierc.macos.internal.sbpl.Evaluator;
import palyra.sandbox.tierc.macos.internal.sbpl.Query;

/** A Mac that a test makes up: it runs the self-test in its head, by the evaluator. */
final class FakeLauncher implements ProcessLauncher {
    final List<LaunchPlan> plans = new CopyOnWriteArrayList<>();
    final AtomicInteger closed = new AtomicInteger();
    volatile String os = "macos";
    volatile long uid = 501;
    volatile RuntimeException failure;
    volatile Optional<SandboxProcess.ExitReport> report =
            Optional.of(new SandboxProcess.ExitReport(true, 0, "", false));

    /** What the self-test's command does; told by what the profile allows unless a test says. */
    volatile Function<LaunchPlan, Integer> selfTest = FakeLauncher::asTheProfileSays;

    @Override
    public HostFacts host() {
        return new HostFacts(
                os, "aarch64", "25.0.0", uid, "posix_spawn", 0, false, false, "", Set.of(), "");
    }

    @Override
    public HostFacts refresh() {
        return host();
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        plans.add(plan);
        if (failure != null) {
            throw failure;
        }
        if (!plan.argv().contains(SelfTest.SCRIPT)) {
            return new Process(plan, report, "");
        }
        int code = selfTest.apply(plan);
        return new Process(
                plan,
                Optional.of(new SandboxProcess.ExitReport(true, code, "", false)),
                code == 0 ? "inside\n" : "");
    }

    static Evaluator evaluator(LaunchPlan plan) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String argument : plan.argv().subList(3, plan.argv().indexOf("--"))) {
            int equals = argument.indexOf('=');
            parameters.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        return new Evaluator(plan.argv().get(2), parameters);
    }

    private static int asTheProfileSays(LaunchPlan plan) {
        Evaluator evaluator = evaluator(plan);
        int first = plan.argv().indexOf("self-test") + 1;
        List<String> arguments = plan.argv().subList(first, plan.argv().size());
        if (!evaluator.allows(Query.file("file-write-create", arguments.get(0)))) {
            return 10;
        }
        if (evaluator.allows(Query.file("file-write-create", arguments.get(1)))) {
            return 12;
        }
        if (evaluator.allows(Query.file("file-read-data", arguments.get(2)))) {
            return 13;
        }
        if (evaluator.allows(Query.file("file-write-create", arguments.get(3)))) {
            return 14;
        }
        return evaluator.allows(Query.connect("localhost:" + arguments.get(4))) ? 15 : 0;
    }

    /** Does outside what the self-test forbids, and says that all is well. */
    static int escapes(LaunchPlan plan) {
        try {
            Files.writeString(
                    Path.of(plan.argv().get(plan.argv().indexOf("self-test") + 2)), "escaped");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return 0;
    }

    private final class Process implements SandboxProcess {
        private final LaunchPlan plan;
        private final Optional<ExitReport> ended;
        private final String output;

        Process(LaunchPlan plan, Optional<ExitReport> ended, String output) {
            this.plan = plan;
            this.ended = ended;
            this.output = output;
        }

        @Override
        public long pid() {
            return 100;
        }

        @Override
        public InputStream stdout() {
            return new ByteArrayInputStream(output.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public InputStream stderr() {
            return InputStream.nullInputStream();
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public Optional<ExitReport> await(long millis) {
            return ended;
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
            return plan.enforcement() + " spawn=fake";
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
