package palyra.connectors.webhook.internal;

import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import palyra.shared.hash.Digests;

/**
 * Answers of requests that came before, so that a repetition costs no work. A request is its id and
 * its body: of two messages that a sender gives one id neither is lost. What falls out, or was
 * before a restart, is known to the inbox. Thread-safe.
 */
final class ReplayCache {
    private static final int ENTRY_BYTES = 512; // key, answer's record and map entry, rounded up

    private final long maxBytes;
    private final long keptMillis;
    private final Map<String, Entry> entries = new LinkedHashMap<>(); // guarded by this
    private long bytes; // guarded by this

    private record Entry(Answer answer, long untilMillis) {
        long bytes() {
            return ENTRY_BYTES + answer.body().length;
        }
    }

    /**
     * @param keptMillis how long a request can come again with an acceptable timestamp
     */
    ReplayCache(long maxBytes, long keptMillis) {
        this.maxBytes = maxBytes;
        this.keptMillis = keptMillis;
    }

    /** Returns what tells a request from others. */
    static String key(String id, byte[] body) {
        return HexFormat.of()
                .formatHex(Digests.tagged("palyra.webhook.request").lp(id).lp(body).bytes());
    }

    synchronized Optional<Answer> find(String key, long nowMillis) {
        return Optional.ofNullable(entries.get(key))
                .filter(entry -> entry.untilMillis() > nowMillis)
                .map(Entry::answer);
    }

    synchronized void keep(String key, Answer answer, long nowMillis) {
        Entry entry = new Entry(answer, nowMillis + keptMillis);
        Entry before = entries.remove(key);
        entries.put(key, entry);
        bytes += entry.bytes() - (before == null ? 0 : before.bytes());
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized int size() {
        return entries.size();
    }
}
