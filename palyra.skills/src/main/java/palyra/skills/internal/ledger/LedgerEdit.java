package palyra.skills.internal.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.core.journal.Operation;
import palyra.shared.json.Jcs;

/** The changed rows of one ledger change, with its journal events. Not thread-safe. */
public final class LedgerEdit {
    private static final String STREAM = "journal";

    private final Map<String, Optional<ObjectNode>> rows = new TreeMap<>();
    private final List<Operation> operations = new ArrayList<>();

    /** Puts a row. */
    public LedgerEdit put(String key, ObjectNode content) {
        rows.put(key, Optional.of(content));
        return this;
    }

    /** Deletes a row. */
    public LedgerEdit delete(String key) {
        rows.put(key, Optional.empty());
        return this;
    }

    /** Adds an event of the journal. */
    public LedgerEdit event(String type, ObjectNode payload) {
        operations.add(new Operation.Append(STREAM, type, 1, Jcs.bytes(payload)));
        return this;
    }

    Map<String, Optional<ObjectNode>> rows() {
        return rows;
    }

    List<Operation> operations() {
        return operations;
    }

    /** Returns whether it does nothing. */
    public boolean isEmpty() {
        return rows.isEmpty() && operations.isEmpty();
    }
}
