package palyra.transport.openai.internal.http;

import java.io.Closeable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Credential;
import palyra.transport.openai.internal.OpenAiSettings.Bounds;

/** The requests that are being answered, within bounds. Thread-safe. */
public final class OpenCalls {
    private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);
    private static final long CLOSE_MILLIS = 4_000;

    private final Set<OpenCall> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> perPrincipal = new ConcurrentHashMap<>();
    private final LongAdder stalled = new LongAdder();
    private final Supplier<Bounds> bounds;
    private volatile String closing; // null while requests are welcome

    /** Creates the place for calls; {@code bounds} are asked each time. */
    public OpenCalls(Supplier<Bounds> bounds) {
        this.bounds = bounds;
    }

    /** Takes a request in whose caller is not known yet. */
    public OpenCall open(Closeable connection) {
        OpenCall call = new OpenCall(connection);
        open.add(call);
        if (open.size() > bounds.get().requests()) {
            open.remove(call);
            throw RefusedException.later(
                    503, "overloaded", "Too many requests are being answered; try again.", 1);
        }
        if (closing != null) {
            open.remove(call);
            throw RefusedException.later(503, "restarting", closing, 1);
        }
        return call;
    }

    /** Counts a request for its caller. */
    public void admit(OpenCall call, Principal principal, Credential.ApiToken token) {
        int most = bounds.get().perPrincipal();
        int now = perPrincipal.merge(principal.id(), 1, Integer::sum);
        call.authenticated(principal, token);
        if (now > most) {
            throw RefusedException.later(
                    429,
                    "too_many_requests",
                    principal.id() + " has " + most + " requests open, the most; end some first.",
                    1);
        }
    }

    /** Takes a request out. */
    public void close(OpenCall call) {
        if (open.remove(call) && call.principal() != null) {
            perPrincipal.computeIfPresent(
                    call.principal().id(), (id, count) -> count == 1 ? null : count - 1);
        }
        call.done();
    }

    /** Returns how many requests are being answered. */
    public int size() {
        return open.size();
    }

    /** Returns how often a client was cut off because it did not read. */
    public long stalled() {
        return stalled.sum();
    }

    /** Ends what takes too long: a client that does not read, or a request past its time. */
    public void sweep() {
        Bounds now = bounds.get();
        for (OpenCall call : open) {
            if (call.isStalled(now.stallSeconds()) || call.isOverdue(now.stallSeconds())) {
                stalled.increment();
                call.end("The client did not read what was sent for " + now.stallSeconds() + " s.");
                call.cut();
            } else if (call.isOlderThan(now.maxSeconds())) {
                call.end(
                        "The request took longer than "
                                + now.maxSeconds()
                                + " seconds; its run goes on.");
            }
        }
    }

    /**
     * Ends requests whose token counts no longer.
     *
     * @param authenticate throws UNAUTHENTICATED for such a token
     */
    public void checkTokens(Consumer<Credential.ApiToken> authenticate) {
        for (OpenCall call : open) {
            call.token().ifPresent(token -> check(call, token, authenticate));
        }
    }

    private static void check(
            OpenCall call, Credential.ApiToken token, Consumer<Credential.ApiToken> authenticate) {
        try {
            authenticate.accept(token);
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.UNAUTHENTICATED) {
                call.end("The API token of this request counts no longer; its run goes on.");
            }
        }
    }

    /** Ends every request, and refuses those that come later; waits a little for them to end. */
    public void closeAll(String why) {
        closing = why;
        open.forEach(call -> call.end(why));
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
        try {
            for (OpenCall call : open) {
                if (!call.awaitDone(until)) {
                    call.cut();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.debug("Closing was interrupted.");
        }
    }
}
