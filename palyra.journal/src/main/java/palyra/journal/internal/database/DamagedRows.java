package palyra.journal.internal.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that could not be read in a list, which went on without them. Each is reported once; so many
 * are kept for operators. Thread-safe.
 */
public final class DamagedRows {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedRows.class);
    private static final int MOST = 100;

    private final Map<String, String> rows = new LinkedHashMap<>(); // guarded by this
    private long more; // guarded by this
    private final SearchHealth search = new SearchHealth();

    /** Returns how the index of sessions is. */
    public SearchHealth search() {
        return search;
    }

    /** Notes a row; {@code id} is its first column. */
    synchronized void found(String id, RuntimeException why) {
        if (rows.containsKey(id)) {
            return;
        }
        if (rows.size() >= MOST) {
            more++;
            return;
        }
        rows.put(id, why.getMessage() == null ? why.toString() : why.getMessage());
        LOG.error("A row of the journal cannot be read and is left out of lists: {}", id, why);
    }

    /** Returns one sentence for each row. */
    public synchronized List<String> sentences() {
        List<String> all = new ArrayList<>();
        rows.forEach((id, why) -> all.add("Row " + id + " of the journal cannot be read: " + why));
        if (more > 0) {
            all.add(more + " more rows of the journal cannot be read.");
        }
        return all;
    }
}
