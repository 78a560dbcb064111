package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;

/** Starts what a plan says with files at its descriptors; no limits, no filters of its own. */
final class PlainLauncher implements ProcessLauncher {
    private final Path folder;
    private final HostFacts host;

    PlainLauncher(Path folder, HostFacts host) {
        this.folder = folder;
        this.host = host;
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
        try {
            Path own = Files.createTempDirectory(folder, "launch-");
            StringBuilder script = new StringBuilder("exec \"$@\"");
            for (Passed passed : plan.passed()) {
                Path file = own.resolve("" + passed.descriptor());
                Files.write(file, passed.content());
                script.append(' ')
                        .append(passed.descriptor())
                        .append("<'")
                        .append(file)
                        .append('\'');
            }
            for (Opened opened : plan.opened()) {
                script.append(' ')
                        .append(opened.descriptor())
                        .append("<'")
                        .append(opened.path())
                        .append('\'');
            }
            Path status = own.resolve("status");
            if (plan.statusDescriptor() != 0) {
                script.append(' ')
                        .append(plan.statusDescriptor())
                        .append(">'")
                        .append(status)
                        .append('\'');
            }
            List<String> command =
                    new ArrayList<>(List.of("/bin/bash", "-c", script.toString(), "sh"));
            command.addAll(plan.argv());
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().clear();
            builder.environment().putAll(plan.environment());
            builder.directory(Path.of(plan.workingFolder()).toFile());
            builder.redirectOutput(own.resolve("out").toFile());
            builder.redirectError(own.resolve("err").toFile());
            builder.redirectInput(Path.of("/dev/null").toFile());
            return new Plain(builder.start(), own, plan);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Plain(Process process, Path own, LaunchPlan plan) implements SandboxProcess {
        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public InputStream stdout() {
            return open("out");
        }

        @Override
        public InputStream stderr() {
            return open("err");
        }

        private InputStream open(String name) {
            try {
                return Files.newInputStream(own.resolve(name));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public Optional<ExitReport> await(long millis) throws InterruptedException {
            if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
            boolean started = plan.statusDescriptor() == 0 || ran();
            return Optional.of(
                    new ExitReport(
                            started,
                            started ? process.exitValue() : -1,
                            started ? "" : "It did not start.",
                            false));
        }

        private boolean ran() {
            try {
                return Files.readString(own.resolve("status")).contains("exit-code");
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public Usage usage() {
            return new Usage(-1, -1, false);
        }

        @Override
        public int kill() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return 0;
        }

        @Override
        public String enforcement() {
            return plan.enforcement();
        }

        @Override
        public void close() {
            kill();
        }
    }
}
