package palyra.console.internal.run.stream;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** The streams that are open, of which there is a most for each principal and for all. */
final class OpenTabs {
    private final int mostEach;
    private final int mostAll;
    private final Map<String, Integer> byPrincipal = new HashMap<>(); // guarded by this
    private final Set<Tab> tabs = new HashSet<>(); // guarded by this
    private int all; // guarded by this
    private boolean closed; // guarded by this

    OpenTabs(int mostEach, int mostAll) {
        this.mostEach = mostEach;
        this.mostAll = mostAll;
    }

    /** Takes a place for a principal, until it is given back. RESOURCE_EXHAUSTED. */
    synchronized void enter(String principal) {
        if (closed) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE, "The console is being replaced; try again.");
        }
        int own = byPrincipal.getOrDefault(principal, 0);
        if (own >= mostEach || all >= mostAll) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    own >= mostEach
                            ? principal
                                    + " has "
                                    + own
                                    + " tabs of the console open, which is the most that are kept"
                                    + " up to date; close some and load this page again."
                            : "There are "
                                    + all
                                    + " tabs of the console open, which is the most that are kept"
                                    + " up to date; this page shows what it was when loaded.");
        }
        byPrincipal.merge(principal, 1, Integer::sum);
        all++;
    }

    /** Gives a place back. */
    synchronized void leave(String principal) {
        byPrincipal.computeIfPresent(principal, (key, count) -> count > 1 ? count - 1 : null);
        all--;
    }

    /** Adds the stream of a place, unless the console is going; returns whether it did. */
    synchronized boolean add(Tab tab) {
        return !closed && tabs.add(tab);
    }

    synchronized void remove(Tab tab) {
        tabs.remove(tab);
    }

    synchronized int count() {
        return all;
    }

    /** Ends all of them. */
    void close() {
        List<Tab> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(tabs);
        }
        open.forEach(Tab::close);
    }
}
