package palyra.skills.internal.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows of the ledger at one moment. Immutable: contents are never changed after they were read.
 *
 * @param serial counts the changes, 0 for none
 * @param rows content by key
 */
public record LedgerRows(long serial, SortedMap<String, ObjectNode> rows) {
    /** Nothing. */
    public static final LedgerRows NONE = new LedgerRows(0, new TreeMap<>());

    /** Wraps. */
    public LedgerRows {
        rows = Collections.unmodifiableSortedMap(rows);
    }

    /** Returns a row. */
    public Optional<ObjectNode> row(String key) {
        return Optional.ofNullable(rows.get(key)).map(ObjectNode::deepCopy);
    }

    /** Returns the rows whose keys begin so, by what follows. */
    public SortedMap<String, ObjectNode> below(String prefix) {
        SortedMap<String, ObjectNode> found = new TreeMap<>();
        for (Map.Entry<String, ObjectNode> row : rows.tailMap(prefix).entrySet()) {
            if (!row.getKey().startsWith(prefix)) {
                break;
            }
            found.put(row.getKey().substring(prefix.length()), row.getValue());
        }
        return found;
    }
}
