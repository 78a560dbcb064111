package palyra.journal.internal.database;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the index of sessions can be used, as readers and the writer find out. Thread-safe. */
public final class SearchHealth {
    private static final Logger LOG = LoggerFactory.getLogger(SearchHealth.class);

    private String damage = ""; // guarded by this; found and not yet repaired
    private boolean rebuilding; // guarded by this
    private long done; // guarded by this

    /** Damage was met; {@code why} is what SQLite said. */
    public synchronized void damaged(Throwable why) {
        if (damage.isEmpty()) {
            damage = why.getMessage() == null ? why.toString() : why.getMessage();
            LOG.error(
                    "The index for searching sessions is damaged and is rebuilt from the sessions;"
                            + " sessions, runs and tapes do not depend on it: {}",
                    damage);
        }
    }

    /** Returns the damage that was found and is not yet repaired; empty for none. */
    public synchronized Optional<String> damage() {
        return damage.isEmpty() ? Optional.empty() : Optional.of(damage);
    }

    /** The damaged index was given up. */
    public synchronized void abandoned() {
        damage = "";
        rebuilt(0);
    }

    /** The index knows the sessions up to this number, or all of them when it is negative. */
    public synchronized void rebuilt(long upTo) {
        rebuilding = upTo >= 0;
        done = upTo;
    }

    /** Returns what an operator should know; empty while the index is whole. */
    public synchronized Optional<String> sentence() {
        if (!damage.isEmpty()) {
            return Optional.of(
                    "The index for searching sessions is damaged and is about to be rebuilt: "
                            + damage);
        }
        return rebuilding
                ? Optional.of(
                        "The index for searching sessions is being rebuilt from the sessions table"
                                + " (done up to session number "
                                + done
                                + "); searches read the table itself until then.")
                : Optional.empty();
    }
}
