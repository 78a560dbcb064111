package palyra.transport.grpc.internal.service.stream;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of a stream: sends as fast as the client reads, without buffering. Thread-safe.
 * Create it before the service method returns.
 *
 * @param <T> message
 */
public final class Outbound<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Outbound.class);

    /** Readiness is looked at again without being told, so that no lost signal stops a stream. */
    private static final long LOOK_MILLIS = 1_000;

    private final ServerCallStreamObserver<T> call;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Runnable> whenOver = new ArrayList<>(); // guarded by lock
    private boolean over; // guarded by lock

    /** Takes over the handlers of a call. */
    public Outbound(ServerCallStreamObserver<T> call) {
        this.call = call;
        call.setOnReadyHandler(this::wake);
        call.setOnCancelHandler(this::gone);
        call.setOnCloseHandler(this::gone);
    }

    /** The client left, or the server ended the call. */
    private void gone() {
        end(() -> {});
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends a message when the client has room for it, however long that takes.
     *
     * @return false when the stream is over: nothing was sent
     */
    public boolean send(T message) throws InterruptedException {
        return send(message, () -> true);
    }

    /**
     * Sends a message when the client has room for it.
     *
     * @param worthWaiting asked every second; when it says no, the wait is given up
     * @return false when nothing was sent
     */
    public boolean send(T message, BooleanSupplier worthWaiting) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!over && !call.isReady() && worthWaiting.getAsBoolean()) {
                changed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (over || !call.isReady()) {
                return false;
            }
            call.onNext(message);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Asks for the client's next message. */
    public void next() {
        if (!isOver()) {
            call.request(1);
        }
    }

    /** Ends the stream well; nothing happens when it is over. */
    public void complete() {
        end(call::onCompleted);
    }

    /** Ends the stream with an error; nothing happens when it is over. */
    public void fail(Throwable failure) {
        end(() -> call.onError(failure));
    }

    private void end(Runnable last) {
        List<Runnable> tasks;
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            changed.signalAll();
            tasks = List.copyOf(whenOver);
            whenOver.clear();
            last.run();
        } catch (RuntimeException e) {
            LOG.debug("A stream was gone before it could be ended.", e);
            tasks = List.of();
        } finally {
            lock.unlock();
        }
        tasks.forEach(Runnable::run);
    }

    /** Returns whether nothing can be sent any more: ended, cancelled or disconnected. */
    public boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Runs a short task when the stream is over; at once when it is. */
    public void whenOver(Runnable task) {
        lock.lock();
        try {
            if (!over) {
                whenOver.add(task);
                return;
            }
        } finally {
            lock.unlock();
        }
        task.run();
    }

    /** Waits at most {@code millis} for the end of the stream; returns whether it is over. */
    public boolean awaitOver(long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!over && left > 0) {
                left = changed.awaitNanos(left);
            }
            return over;
        } finally {
            lock.unlock();
        }
    }
}
