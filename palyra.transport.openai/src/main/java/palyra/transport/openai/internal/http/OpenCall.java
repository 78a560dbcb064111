package palyra.transport.openai.internal.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.access.Principal;
import palyra.api.core.access.Credential;
import palyra.shared.http.Reply;

/** A request that is being answered, which can be ended from outside. Thread-safe. */
public final class OpenCall {
    private static final Logger LOG = LoggerFactory.getLogger(OpenCall.class);

    private final long startedNanos = System.nanoTime();
    private final CountDownLatch done = new CountDownLatch(1);
    private final List<Runnable> hooks = new ArrayList<>(); // guarded by this
    private final Closeable connection;
    private String reason; // guarded by this; null while it goes on
    private long endedNanos; // guarded by this
    private volatile Principal principal; // null until authenticated
    private volatile Credential.ApiToken token; // null until authenticated
    private volatile long writingSince; // nanoTime; 0 while nothing is being written
    private volatile Runnable whenSent = () -> {};

    OpenCall(Closeable connection) {
        this.connection = connection;
    }

    /** Returns whose request it is. */
    public Principal principal() {
        return principal;
    }

    Optional<Credential.ApiToken> token() {
        return Optional.ofNullable(token);
    }

    void authenticated(Principal caller, Credential.ApiToken with) {
        principal = caller;
        token = with;
    }

    /** Runs {@code hook} when the call is ended from outside, or now if it was. Must not block. */
    public void onEnd(Runnable hook) {
        synchronized (this) {
            if (reason == null) {
                hooks.add(hook);
                return;
            }
        }
        hook.run();
    }

    /**
     * Ends the call soon; the first reason counts. Never blocks.
     *
     * @return whether this is the first
     */
    public boolean end(String why) {
        List<Runnable> now;
        synchronized (this) {
            if (reason != null) {
                return false;
            }
            reason = why;
            endedNanos = System.nanoTime();
            now = List.copyOf(hooks);
        }
        now.forEach(Runnable::run);
        return true;
    }

    /** Returns why it was ended from outside; empty while it goes on. */
    public synchronized Optional<String> ended() {
        return Optional.ofNullable(reason);
    }

    void writing(boolean begins) {
        writingSince = begins ? Math.max(1, System.nanoTime()) : 0;
    }

    boolean isStalled(int seconds) {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Returns whether it goes on so long after it was ended from outside. */
    synchronized boolean isOverdue(int seconds) {
        return reason != null && System.nanoTime() - endedNanos > TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Runs {@code hook} once the answer as a whole was written. */
    public void whenSent(Runnable hook) {
        whenSent = hook;
    }

    /** Sends an answer as a whole; a client that does not read it is cut off. */
    public void send(Reply reply, HttpServletResponse response) throws IOException {
        writing(true);
        try {
            reply.send(false, response);
        } finally {
            writing(false);
        }
        whenSent.run();
    }

    boolean isOlderThan(int seconds) {
        return System.nanoTime() - startedNanos > TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Closes the client's connection, also while it is being written to. */
    void cut() {
        try {
            connection.close();
        } catch (IOException e) {
            LOG.debug("A connection did not close.", e);
        }
    }

    void done() {
        done.countDown();
    }

    boolean awaitDone(long untilNanos) throws InterruptedException {
        return done.await(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    }
}
