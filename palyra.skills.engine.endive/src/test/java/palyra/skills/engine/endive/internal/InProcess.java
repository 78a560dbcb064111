package palyra.skills.engine.endive.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import palyra.shared.worker.WorkerProcess;
import palyra.skills.engine.endive.internal.code.CompilerStarter;
import palyra.skills.engine.endive.internal.worker.CompilerMain;

/** The compiler's program on a thread of the test, for suites that compile hundreds of modules. */
final class InProcess implements CompilerStarter {
    @Override
    public String confinement() {
        return "test";
    }

    @Override
    public WorkerProcess start(BooleanSupplier stopped) {
        try {
            return new Threaded();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Threaded implements WorkerProcess {
        private static final int PIPE = 64 << 10;

        private final PipedOutputStream in = new PipedOutputStream();
        private final PipedInputStream out = new PipedInputStream(PIPE);

        Threaded() throws IOException {
            InputStream read = new PipedInputStream(in, PIPE);
            OutputStream write = new PipedOutputStream(out);
            Thread.ofPlatform().name("test-compiler").daemon().start(() -> serve(read, write));
        }

        private static void serve(InputStream read, OutputStream write) {
            try (read;
                    write) {
                CompilerMain.serve(read, write);
            } catch (IOException e) {
                return; // the engine does not listen any more
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public InputStream out() {
            return out;
        }

        @Override
        public InputStream err() {
            return InputStream.nullInputStream();
        }

        @Override
        public OutputStream in() {
            return in;
        }

        @Override
        public String isolation() {
            return "test";
        }

        @Override
        public long cpuMillis() {
            return -1;
        }

        @Override
        public Optional<Ending> await(long millis) {
            return Optional.of(new Ending(1, false, ""));
        }

        @Override
        public void close() {
            try {
                in.close();
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
