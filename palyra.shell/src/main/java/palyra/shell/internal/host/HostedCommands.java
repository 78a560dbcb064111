package palyra.shell.internal.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;

/** Commands for surfaces of other bundles: output into memory, within bounds. Thread-safe. */
@Component(service = CommandRunner.class, immediate = true)
public final class HostedCommands implements CommandRunner {
    private static final int ERROR_BYTES = 64 * 1024;
    private static final long END_MILLIS = 1_000;
    private static final int COLUMNS = 100;

    private final CommandHost host;

    /** Called by the component runtime. */
    @Activate
    public HostedCommands(@Reference CommandHost host) {
        this.host = host;
    }

    @Override
    public CommandExecution start(
            Principal caller, List<String> argv, byte[] input, Limits limits) {
        Buffers buffers = new Buffers(input, limits.outputBytes());
        Request request = new Request(argv, false, false, false, COLUMNS, false, "");
        Execution execution = host.start(request, () -> caller, buffers);
        buffers.whenFull(() -> execution.stop(StopCause.PERSON));
        return new Hosted(argv, execution, buffers, limits);
    }

    private record Hosted(List<String> argv, Execution execution, Buffers buffers, Limits limits)
            implements CommandExecution {
        @Override
        public CommandResult await() {
            try {
                return buffers.ended().get(limits.timeMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                stop();
                execution.await(END_MILLIS);
                throw new PalyraException(
                        ErrorCode.TIMED_OUT,
                        "The command "
                                + SafeText.line(String.join(" ", argv.stream().limit(2).toList()))
                                + " did not end within "
                                + limits.timeMillis()
                                + " ms and was stopped; look what it changed before you repeat"
                                + " it.");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop();
                throw new PalyraException(
                        ErrorCode.CANCELLED, "The wait for the command was interrupted.");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void stop() {
            execution.stop(StopCause.PERSON);
        }
    }

    /** What a command reads and writes. */
    private static final class Buffers implements Execution.Streams {
        private final InputStream in;
        private final Bounded out;
        private final Bounded err = new Bounded(ERROR_BYTES);
        private final CompletableFuture<CommandResult> ended = new CompletableFuture<>();

        Buffers(byte[] input, int outputBytes) {
            in = new ByteArrayInputStream(input.clone());
            out = new Bounded(outputBytes);
        }

        void whenFull(Runnable action) {
            out.whenFull(action);
        }

        CompletableFuture<CommandResult> ended() {
            return ended;
        }

        @Override
        public InputStream in() {
            return in;
        }

        @Override
        public OutputStream out() {
            return out;
        }

        @Override
        public OutputStream err() {
            return err;
        }

        @Override
        public void exited(int code) {
            ended.complete(
                    new CommandResult(
                            code,
                            out.bytes(),
                            new String(err.bytes(), StandardCharsets.UTF_8),
                            out.isFull()));
        }
    }

    /** Keeps the first bytes. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // guarded by this
        private final int most;
        private Runnable whenFull = () -> {}; // guarded by this
        private boolean full; // guarded by this

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            Runnable action = () -> {};
            synchronized (this) {
                int fits = Math.min(length, most - kept.size());
                kept.write(bytes, from, fits);
                if (fits < length && !full) {
                    full = true;
                    action = whenFull;
                }
            }
            action.run();
        }

        void whenFull(Runnable action) {
            boolean already;
            synchronized (this) {
                whenFull = action;
                already = full;
            }
            if (already) {
                action.run();
            }
        }

        synchronized byte[] bytes() {
            return kept.toByteArray();
        }

        synchronized boolean isFull() {
            return full;
        }
    }
}
