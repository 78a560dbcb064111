package palyra.console.internal.panel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import palyra.api.console.PanelResult;
import palyra.shared.hash.Ulids;

/**
 * Sentences about what a form did, until the page that the browser loads next has shown them. A
 * swap of the console loses them, and nothing else. Thread-safe.
 */
final class Notices {
    private static final int MOST = 500;

    private final Ulids ids = new Ulids();

    private record Notice(String principal, PanelResult result) {}

    private final Map<String, Notice> notices = // guarded by this
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Notice> eldest) {
                    return size() > MOST;
                }
            };

    /** Keeps a result and returns its id. */
    synchronized String keep(String principal, PanelResult result) {
        String id = ids.next();
        notices.put(id, new Notice(principal, result));
        return id;
    }

    /** Returns a result of that principal once. */
    synchronized Optional<PanelResult> take(String principal, String id) {
        Notice notice = notices.get(id);
        if (notice == null || !notice.principal().equals(principal)) {
            return Optional.empty();
        }
        notices.remove(id);
        return Optional.of(notice.result());
    }
}
