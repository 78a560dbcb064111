package palyra.transport.openai.internal.session;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palyra.api.access.Principal;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * Recognises a request that is sent again: by the client's key, and, for clients that say that they
 * repeat but send no key, by the content of the request within some minutes. Thread-safe.
 */
public final class Repeats {
    /** Surface of the messages that come in here. */
    public static final String SURFACE = "openai";

    private static final long WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final int WINDOWS = 5;
    private static final int MOST_ALIKE = 100;

    private final Gate<Journal> journal;
    private final LongSupplier clock;

    /** Creates a look-up; {@code clock} tells unix milliseconds. */
    public Repeats(Gate<Journal> journal, LongSupplier clock) {
        this.journal = journal;
        this.clock = clock;
    }

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
        if (isRepeat) {
            for (long each = window; each > window - WINDOWS; each--) {
                Optional<Known> before = newest(principal, digest, each);
                if (before.isPresent()) {
                    return before.get();
                }
            }
        }
        return free(principal, digest, window);
    }

    private Optional<Known> newest(Principal principal, String digest, long window) {
        Optional<Known> newest = Optional.empty();
        for (int i = 0; i < MOST_ALIKE; i++) {
            String key = key(digest, window, i);
            Optional<InboxRow> row = row(principal, key);
            if (row.isEmpty()) {
                break;
            }
            newest = Optional.of(new Known(key, row));
        }
        return newest;
    }

    /** The same words may be said again: that is another message. */
    private Known free(Principal principal, String digest, long window) {
        for (int i = 0; i < MOST_ALIKE; i++) {
            String key = key(digest, window, i);
            if (row(principal, key).isEmpty()) {
                return new Known(key, Optional.empty());
            }
        }
        return new Known("", Optional.empty());
    }

    private static String key(String digest, long window, int number) {
        return "body:" + digest + ":" + window + ":" + number;
    }

    private Optional<InboxRow> row(Principal principal, String key) {
        return journal.call(present -> present.inboxByKey(SURFACE, principal.id() + "/" + key));
    }
}
