package palyra.transport.openai.internal.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palyra.api.access.Principal;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.run.SubmissionCodec;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * Recognises a request that is sent again: by the client's key, and, for clients that say that they
 * repeat but send no key, by the content of the request within some minutes. Without a key, the
 * same content may be a new message whose first attempt was refused: so a repeat goes with the
 * newest attempt of that content alone, and never with a run whose answer the client was sent.
 * Thread-safe.
 */
public final class Repeats {
    /** Surface of the messages that come in here. */
    public static final String SURFACE = "openai";

    private static final long WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final int WINDOWS = 5;
    private static final int MOST_ALIKE = 100;
    private static final int MOST_GAP = 8;
    private static final int MOST_TRIED = 4_096;

    private final Gate<Journal> journal;
    private final Deliveries deliveries;
    private final LongSupplier clock;
    private final Map<String, Attempt> tried = // guarded by itself; the least used make room
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Attempt> eldest) {
                    return size() > MOST_TRIED;
                }
            };

    /** Creates a look-up; {@code clock} tells unix milliseconds. */
    public Repeats(Gate<Journal> journal, Deliveries deliveries, LongSupplier clock) {
        this.journal = journal;
        this.deliveries = deliveries;
        this.clock = clock;
    }

    /** The newest attempt of a content, whether or not it was accepted. */
    private record Attempt(long window, int number) {}

    /**
     * How a request is known.
     *
     * @param dedupeKey key under which its message is accepted once
     * @param before the message that was accepted under it; empty for a new request
     */
    public record Known(String dedupeKey, Optional<InboxRow> before) {}

    /**
     * Returns how a request is known.
     *
     * @param key the client's key; empty for none
     * @param content everything that makes two requests the same
     * @param isRepeat whether the client says that it sends it again
     */
    public Known of(Principal principal, String key, byte[] content, boolean isRepeat) {
        if (!key.isEmpty()) {
            if (!key.matches("[\\x20-\\x7e]{1,200}") || key.isBlank()) {
                throw RefusedException.invalid(
                        "", "The Idempotency-Key is not 1 to 200 printable characters of ASCII.");
            }
            String own = "key:" + key;
            return new Known(own, row(principal, own));
        }
        String digest = Digests.sha256Hex(content);
        long window = clock.getAsLong() / WINDOW_MILLIS;
        return (isRepeat ? repeated(principal, digest, window) : Optional.<Known>empty())
                .orElseGet(() -> free(principal, digest, window));
    }

    /** Returns empty when the repeat is a message that was never accepted and never tried here. */
    private Optional<Known> repeated(Principal principal, String digest, long window) {
        Attempt last;
        synchronized (tried) {
            last = tried.get(name(principal, digest));
        }
        Optional<Known> before =
                last != null && last.window() > window - WINDOWS
                        ? Optional.of(known(principal, key(digest, last.window(), last.number())))
                        : newest(principal, digest, window);
        return before.filter(each -> each.before().isEmpty() || !isAnswered(each.before().get()));
    }

    /**
     * An attempt without a message was refused, or it is not known yet: under its own key it is
     * accepted once all the same.
     */
    private Known known(Principal principal, String key) {
        return new Known(key, row(principal, key));
    }

    private Optional<Known> newest(Principal principal, String digest, long window) {
        for (long each = window; each > window - WINDOWS; each--) {
            Optional<Known> newest = Optional.empty();
            int gap = 0; // refused attempts leave some
            for (int i = 0; i < MOST_ALIKE && gap < MOST_GAP; i++) {
                Known known = known(principal, key(digest, each, i));
                newest = known.before().isPresent() ? Optional.of(known) : newest;
                gap = known.before().isPresent() ? 0 : gap + 1;
            }
            if (newest.isPresent()) {
                return newest;
            }
        }
        return Optional.empty();
    }

    /** A message that was rejected never had a run: its repeat is tried as a new one. */
    private boolean isAnswered(InboxRow row) {
        if (row.state() == InboxRow.State.REJECTED) {
            return true;
        }
        String runId = SubmissionCodec.message(row.payload()).runId();
        Optional<RunRow> run =
                journal.call(present -> present.run(runId))
                        .filter(found -> found.state().terminal());
        return run.isPresent()
                && deliveries
                        .of(runId, run.get().updatedAtMillis())
                        .orElseThrow(() -> unknown(runId));
    }

    private static RefusedException unknown(String runId) {
        return RefusedException.notAgain(
                "repeat_unknown",
                "This request came before and was answered by run "
                        + runId
                        + ", which ended before this server began to remember what it sent. Read"
                        + " that answer with GET /v1/responses/"
                        + ResponseIds.of(runId)
                        + ", or send the message as a new request; with an Idempotency-Key a repeat"
                        + " always gets its own answer.");
    }

    /**
     * The same words may be said again: that is another message. Requests at the same moment get
     * numbers of their own.
     */
    private Known free(Principal principal, String digest, long window) {
        for (int i = 0; i < MOST_ALIKE; i++) {
            String key = key(digest, window, number(name(principal, digest), window));
            if (row(principal, key).isEmpty()) {
                return new Known(key, Optional.empty());
            }
        }
        return new Known("", Optional.empty());
    }

    private int number(String name, long window) {
        synchronized (tried) {
            Attempt last = tried.get(name);
            int number = last != null && last.window() == window ? last.number() + 1 : 0;
            tried.put(name, new Attempt(window, number));
            return number;
        }
    }

    private static String name(Principal principal, String digest) {
        return principal.id() + "/" + digest;
    }

    private static String key(String digest, long window, int number) {
        return "body:" + digest + ":" + window + ":" + number;
    }

    private Optional<InboxRow> row(Principal principal, String key) {
        return journal.call(present -> present.inboxByKey(SURFACE, principal.id() + "/" + key));
    }
}
