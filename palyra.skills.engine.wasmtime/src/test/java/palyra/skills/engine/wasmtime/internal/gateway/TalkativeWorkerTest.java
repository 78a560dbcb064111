package palyra.skills.engine.wasmtime.internal.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.shared.worker.WorkerProcess;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.FrameStream;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.testing.wait.Await;

/** A worker that says more than it is asked is ended: what it says is kept in memory until read. */
class TalkativeWorkerTest {
    private static final long CALL = 7;

    private final CountDownLatch listening = new CountDownLatch(1);

    private Worker worker(int frames, int bytes) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        FrameStream wire = new FrameStream(InputStream.nullInputStream(), said, false);
        for (int i = 0; i < frames; i++) {
            wire.send(new Frame(Kind.BYTES, CALL, new byte[bytes]));
        }
        return new Worker(new Said(said.toByteArray(), listening));
    }

    private static LinkedBlockingQueue<Frame> heard(Worker worker, CountDownLatch listening) {
        LinkedBlockingQueue<Frame> frames = worker.register(CALL);
        listening.countDown();
        Await.until("the worker to end", () -> !worker.lives());
        return frames;
    }

    @Test
    void manyFramesEndIt() throws IOException {
        Worker worker = worker(1_000, 10);
        LinkedBlockingQueue<Frame> frames = heard(worker, listening);
        assertTrue(worker.gone().contains("it says more than it is asked"), worker.gone());
        assertTrue(frames.size() <= Worker.MOST_WAITING + 1, () -> frames.size() + " frames");
    }

    @Test
    void fewLargeFramesEndIt() throws IOException {
        Worker worker = worker(6, 20 << 20);
        LinkedBlockingQueue<Frame> frames = heard(worker, listening);
        assertTrue(worker.gone().contains("it says more than it is asked"), worker.gone());
        assertTrue(frames.size() <= 2, () -> frames.size() + " frames");
    }

    @Test
    void whatTheProtocolAllowsDoesNot() throws IOException {
        Worker worker = worker(3, 1_000);
        LinkedBlockingQueue<Frame> frames = heard(worker, listening);
        assertTrue(worker.gone().contains("it ended"), worker.gone());
        Await.until("the one that says that it is gone, too", () -> frames.size() == 4);
    }

    private record Said(byte[] bytes, CountDownLatch listening) implements WorkerProcess {
        @Override
        public InputStream out() {
            InputStream all = new ByteArrayInputStream(bytes);
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    begin();
                    return all.read();
                }

                @Override
                public int read(byte[] to, int offset, int length) throws IOException {
                    begin();
                    return all.read(to, offset, length);
                }

                private void begin() throws IOException {
                    try {
                        if (!listening.await(10, TimeUnit.SECONDS)) {
                            throw new IOException("the call was not opened");
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IOException(e);
                    }
                }
            };
        }

        @Override
        public InputStream err() {
            return InputStream.nullInputStream();
        }

        @Override
        public OutputStream in() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public String isolation() {
            return "";
        }

        @Override
        public long cpuMillis() {
            return -1;
        }

        @Override
        public Optional<Ending> await(long millis) {
            return Optional.of(new Ending(0, false, "in the test"));
        }

        @Override
        public void close() {}
    }
}
