package palyra.shared.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A worker without a sandbox: a process of its own with an empty environment and a working folder
 * of its own. Its limits are those of its command line and of the process that started it.
 *
 * @param process the process, which this ends
 * @param isolation what confines it, as in an enforcement string
 */
public record PlainWorker(Process process, String isolation) implements WorkerProcess {
    /**
     * Starts one.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when the program cannot be started
     */
    public static PlainWorker start(List<String> command, Path folder, String isolation) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        try {
            return new PlainWorker(builder.start(), isolation);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The program " + command.get(0) + " cannot be started: " + e.getMessage() + ".",
                    e);
        }
    }

    @Override
    public InputStream out() {
        return process.getInputStream();
    }

    @Override
    public InputStream err() {
        return process.getErrorStream();
    }

    @Override
    public OutputStream in() {
        return process.getOutputStream();
    }

    @Override
    public long cpuMillis() {
        return process.info().totalCpuDuration().map(time -> time.toMillis()).orElse(-1L);
    }

    @Override
    public Optional<Ending> await(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS)
                ? Optional.of(new Ending(process.exitValue(), false, ""))
                : Optional.empty();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
