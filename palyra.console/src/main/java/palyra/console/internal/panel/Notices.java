package palyra.console.internal.panel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import palyra.api.console.PanelResult;
import palyra.shared.hash.Ulids;

/**
 * Sentences about what a form did, for the page that the browser loads next. A swap of the console
 * loses them, and nothing else. Thread-safe.
 */
final class Notices {
    private static final int MOST = 500;

    private final Ulids ids = new Ulids();

    private record Notice(String principal, PanelResult result, boolean shown) {}

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
        notices.put(id, new Notice(principal, result, false));
        return id;
    }

    /** Returns a result of that principal for a page: the first one shows it. */
    synchronized Optional<PanelResult> take(String principal, String id) {
        Notice notice = notices.get(id);
        if (notice == null || !notice.principal().equals(principal) || notice.shown()) {
            return Optional.empty();
        }
        notices.put(id, new Notice(principal, notice.result(), true));
        return Optional.of(notice.result());
    }

    /** Returns a result for the page that shows it and loads its content again. */
    synchronized Optional<PanelResult> again(String principal, String id) {
        return Optional.ofNullable(notices.get(id))
                .filter(notice -> notice.shown() && notice.principal().equals(principal))
                .map(Notice::result);
    }
}
