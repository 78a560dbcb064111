package palyra.gateway.internal.engine.turn;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A cache of exchanges of past runs, bounded in size; the least recently used is evicted first.
 * Thread-safe.
 */
final class ExchangeCache {
    /** A message and its answer. */
    record Exchange(String message, String answer) {
        int chars() {
            return message.length() + answer.length();
        }
    }

    private final int mostChars;
    private final int mostCharsOfOne;
    private final Map<String, Exchange> kept = new LinkedHashMap<>(64, 0.75f, true); // this
    private long chars; // guarded by this

    /** Keeps as many characters in all, and nothing that has more than {@code mostCharsOfOne}. */
    ExchangeCache(int mostChars, int mostCharsOfOne) {
        this.mostChars = mostChars;
        this.mostCharsOfOne = mostCharsOfOne;
    }

    synchronized Optional<Exchange> get(String runId) {
        return Optional.ofNullable(kept.get(runId));
    }

    synchronized void put(String runId, Exchange exchange) {
        if (exchange.chars() > mostCharsOfOne) {
            return;
        }
        Exchange before = kept.put(runId, exchange);
        chars += exchange.chars() - (before == null ? 0 : before.chars());
        Iterator<Exchange> oldest = kept.values().iterator();
        while (chars > mostChars) {
            chars -= oldest.next().chars();
            oldest.remove();
        }
    }

    /** Returns how many are kept. */
    synchronized int size() {
        return kept.size();
    }
}
