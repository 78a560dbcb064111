package palyra.sandbox.internal.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.sandbox.SandboxProcess;

/** An ordinary process; everything that it starts is found by its mark in the environment. */
final class FakeProcess implements SandboxProcess {
    static final String MARK = "PALYRA_TEST_CALL";

    /** Longer than an execution takes on a busy machine. */
    private static final long EXECUTED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final String callId;
    private final Process process;
    private final RawPipe stdout;
    private final RawPipe stderr;
    private final String enforcement;

    FakeProcess(
            String callId, Process process, RawPipe stdout, RawPipe stderr, String enforcement) {
        this.callId = callId;
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
        this.enforcement = enforcement;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public long innerPid(long millis) {
        return pid();
    }

    @Override
    public InputStream stdout() {
        return stdout.stream();
    }

    @Override
    public InputStream stderr() {
        return stderr.stream();
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS)
                ? Optional.of(new ExitReport(true, process.exitValue(), "", false))
                : Optional.empty();
    }

    @Override
    public Usage usage() {
        return new Usage(-1, -1, false);
    }

    @Override
    public int kill() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        List<Long> left = living(callId);
        while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
            left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            left = living(callId);
        }
        return left.size();
    }

    @Override
    public String enforcement() {
        return enforcement;
    }

    @Override
    public void close() {
        kill();
        try {
            stdout.close();
            stderr.close();
            process.getOutputStream().close();
        } catch (IOException e) {
            return; // its other end has gone
        }
    }

    /** Returns the value of the mark: other test JVMs have calls of the same ids. */
    static String mark(String callId) {
        return ProcessHandle.current().pid() + "." + callId;
    }

    /** Returns the living processes of a call. */
    static List<Long> living(String callId) {
        String mark = MARK + "=" + mark(callId);
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path one : all) {
                if (environment(one).contains(mark)) {
                    found.add(Long.parseLong(one.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /**
     * A process that is just being executed shows its program and no environment yet, so that is
     * looked at again; some processes have none, so not for ever.
     */
    private static List<String> environment(Path process) {
        try {
            byte[] bytes = Files.readAllBytes(process.resolve("environ"));
            long until = System.nanoTime() + EXECUTED_NANOS;
            while (bytes.length == 0 && runsProgram(process) && System.nanoTime() - until < 0) {
                Thread.onSpinWait();
                bytes = Files.readAllBytes(process.resolve("environ"));
            }
            return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0", -1));
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    /** Neither threads of the kernel nor processes that have ended do. */
    private static boolean runsProgram(Path process) {
        try {
            Files.readSymbolicLink(process.resolve("exe"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
