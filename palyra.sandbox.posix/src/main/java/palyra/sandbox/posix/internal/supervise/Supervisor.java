package palyra.sandbox.posix.internal.supervise;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Os;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.MetadataCall;

/**
 * Makes the calls for metadata of all processes of one run, on a thread of its own, until no
 * process is left or the run is closed. When it fails it releases its listener, and the kernel
 * refuses further calls. {@link #run} is for one thread, once.
 */
public final class Supervisor implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final int LOOK_MILLIS = 200;

    private final Libc libc;
    private final Listener listener;
    private final Roots roots;
    private final Set<Integer> ports;
    private final String callId;
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Takes over a hold on the listener, and the roots.
     *
     * @param ports that servers of the run may have on loopback addresses; empty when its own
     *     restrictions decide
     */
    public Supervisor(
            Libc libc, Listener listener, Roots roots, Set<Integer> ports, String callId) {
        this.libc = libc;
        this.listener = listener;
        this.roots = roots;
        this.ports = ports;
        this.callId = callId;
    }

    @Override
    public void run() {
        if (!taken.compareAndSet(false, true)) {
            return;
        }
        try (Arena arena = new Arena()) {
            listener.preferSameProcessor();
            MetadataCalls calls = new MetadataCalls(libc, arena, roots, ports);
            Notification call = new Notification(arena);
            Listener.State state = Listener.State.NOTHING;
            while (!closed && state != Listener.State.EMPTY) {
                state = listener.await(true, LOOK_MILLIS);
                if (state == Listener.State.CALL && listener.receive(call)) {
                    listener.answer(call, result(calls, call));
                }
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError broken) {
            LOG.warn("Metadata of files cannot be changed any more by command {}", callId, broken);
        } finally {
            giveBack();
        }
    }

    private long result(MetadataCalls calls, Notification call) {
        Architecture architecture = Architecture.of(Os.archName()).orElseThrow();
        return MetadataCall.of(call.number(), architecture)
                .map(what -> calls.make(what, call, () -> listener.valid(call)))
                .orElse((long) -Errno.ENOSYS);
    }

    private void giveBack() {
        listener.release();
        roots.close();
    }

    /** Ends it soon; calls that are still made are refused. */
    @Override
    public void close() {
        closed = true;
        if (taken.compareAndSet(false, true)) {
            giveBack();
        }
    }
}
