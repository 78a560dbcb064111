package palyra.skills.engine.wasmtime.internal.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.worker.WorkerProcess;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.FrameStream;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/**
 * A running worker process. One thread reads frames and passes them to their calls; when the worker
 * ends, each call gets an empty frame. Thread-safe.
 */
final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int MOST_PRINTED = 2_048;

    /** Most frames of one call that wait; together they are no larger than one may be. */
    static final int MOST_WAITING = 16;

    private static final long GREETING_SECONDS = 30;

    /** A machine that is busy may delay a few signs of life, and never this many. */
    private static final long SILENCE_MILLIS = 8 * FrameStream.BEAT_MILLIS;

    /** Passed to calls when the worker has ended. */
    static final Frame GONE = new Frame(Kind.END, 0);

    private final WorkerProcess process;
    private final FrameStream stream;
    private final CompletableFuture<Messages.Hello> greeting = new CompletableFuture<>();
    private final StringBuffer printed = new StringBuffer();
    private final long born = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, LinkedBlockingQueue<Frame>> calls = new HashMap<>(); // guarded by lock
    private final Condition ended = lock.newCondition();
    private String gone = ""; // guarded by lock: why it ended; empty while it lives
    private volatile long heard = System.nanoTime(); // when it spoke last
    private volatile boolean answered;

    Worker(WorkerProcess process) {
        this.process = process;
        this.stream = new FrameStream(process.out(), process.in(), true);
        thread("reader", this::read);
        thread("stderr", this::drain);
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, "palyra-wasm-wasmtime-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until it has greeted. */
    Messages.Hello greeting() {
        try {
            return greeting.get(GREETING_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw refusal(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            close();
            throw refusal("it did not greet within " + GREETING_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw refusal("waiting for it was interrupted", e);
        }
    }

    private static PalyraException refusal(String why, Exception cause) {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "The wasmtime worker did not start: " + why + ".",
                cause);
    }

    /** Registers a call; its frames go to the returned queue. */
    LinkedBlockingQueue<Frame> register(long call) {
        LinkedBlockingQueue<Frame> queue = new LinkedBlockingQueue<>();
        lock.lock();
        try {
            calls.put(call, queue);
            if (!gone.isEmpty()) {
                queue.add(GONE);
            }
        } finally {
            lock.unlock();
        }
        return queue;
    }

    /** Unregisters a call; later frames of it are dropped. */
    void unregister(long call) {
        lock.lock();
        try {
            calls.remove(call);
        } finally {
            lock.unlock();
        }
    }

    void send(Frame frame) {
        try {
            stream.send(frame);
        } catch (IOException e) {
            end("it does not listen: " + e.getMessage());
            throw new WorkerLostException(gone());
        }
    }

    boolean lives() {
        return gone().isEmpty();
    }

    /** Returns whether a call ever came to its end in it. */
    boolean proven() {
        return answered;
    }

    long ageNanos() {
        return System.nanoTime() - born;
    }

    /** Returns why it ended; empty while it lives. */
    String gone() {
        lock.lock();
        try {
            return gone;
        } finally {
            lock.unlock();
        }
    }

    String isolation() {
        return process.isolation();
    }

    private void read() {
        try {
            for (Frame frame = stream.receive(); frame != null; frame = stream.receive()) {
                take(frame);
            }
            end("it ended, " + process.ending() + words());
        } catch (IOException e) {
            end("it does not speak the protocol: " + e.getMessage() + words());
        }
    }

    /** Ends it once it was silent for too long: it may have been stopped, or be frozen. */
    private void listenForLife() {
        try {
            long left = silenceLeft();
            while (left > 0) {
                if (endedWithin(left)) {
                    return;
                }
                left = silenceLeft();
            }
            end("it gave no sign of life for " + SILENCE_MILLIS + " ms");
        } catch (InterruptedException e) {
            end("listening for its signs of life was interrupted");
        }
    }

    private long silenceLeft() {
        return TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS) - (System.nanoTime() - heard);
    }

    private boolean endedWithin(long nanos) throws InterruptedException {
        lock.lock();
        try {
            return !gone.isEmpty() || ended.awaitNanos(nanos) > 0 && !gone.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void take(Frame frame) throws IOException {
        heard = System.nanoTime();
        if (frame.kind() == Kind.BEAT) {
            return;
        }
        if (frame.kind() == Kind.HELLO) {
            Messages.Hello hello = Messages.Hello.of(frame);
            if (hello.version() != FrameStream.VERSION) {
                throw new IOException(
                        "version " + hello.version() + ", not " + FrameStream.VERSION);
            }
            if (greeting.complete(hello)) {
                thread("heartbeat", this::listenForLife);
            }
            return;
        }
        answered |= frame.kind() == Kind.END;
        LinkedBlockingQueue<Frame> queue;
        lock.lock();
        try {
            queue = calls.get(frame.call());
        } finally {
            lock.unlock();
        }
        if (queue != null) {
            requireRoom(queue, frame);
            queue.add(frame);
        }
    }

    /** A worker that keeps to the protocol waits for an answer to nearly all that it says. */
    private static void requireRoom(Queue<Frame> waiting, Frame next) throws IOException {
        long bytes = next.body().length;
        for (Frame frame : waiting) {
            bytes += frame.body().length;
        }
        if (waiting.size() >= MOST_WAITING
                || (!waiting.isEmpty() && bytes > FrameStream.MOST_BYTES)) {
            throw new IOException("it says more than it is asked");
        }
    }

    private String words() {
        String text = printed.toString().strip();
        return text.isEmpty() ? "" : "; it printed: " + text;
    }

    /** Records why the worker ended, ends its calls, and kills the process. */
    private void end(String why) {
        List<LinkedBlockingQueue<Frame>> left;
        lock.lock();
        try {
            if (!gone.isEmpty()) {
                return;
            }
            gone = why;
            ended.signalAll();
            left = new ArrayList<>(calls.values());
        } finally {
            lock.unlock();
        }
        greeting.completeExceptionally(new WorkerLostException(why));
        left.forEach(queue -> queue.add(GONE));
        process.close();
    }

    private void drain() {
        try (InputStream in = process.err()) {
            byte[] buffer = new byte[1_024];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                String text = new String(buffer, 0, count, StandardCharsets.UTF_8);
                LOG.debug("worker: {}", text);
                if (printed.length() < MOST_PRINTED) {
                    printed.append(text);
                }
            }
        } catch (IOException e) {
            LOG.debug("The worker's errors cannot be read any more: {}", "" + e);
        }
    }

    /** Ends it; its calls find that out. */
    @Override
    public void close() {
        end("it was ended by the gateway");
    }
}
