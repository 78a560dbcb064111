package palyra.gateway.internal.approval;

import java.util.HashMap;
import java.util.Map;
import palyra.api.core.journal.GrantRow;

/**
 * What one worker knows about grants beyond the journal: which starts of the unit in the making use
 * them already, and which the journal refused although they looked good. Used by one thread.
 */
public final class GrantUses {
    private static final int MOST_REFUSALS = 3;

    private final Map<String, Integer> taken = new HashMap<>();
    private final Map<String, Integer> refused = new HashMap<>();

    /** Begins a new unit. */
    public void begin() {
        taken.clear();
    }

    /** Returns whether the grant has a start left for this unit. */
    boolean hasRoom(GrantRow row) {
        int uses = row.uses() + taken.getOrDefault(row.grantId(), 0);
        return refused.getOrDefault(row.grantId(), 0) < MOST_REFUSALS
                && (row.maxUses() == 0 || uses < row.maxUses());
    }

    /** Notes that a call of this unit is to start under the grant. */
    void take(String grantId) {
        taken.merge(grantId, 1, Integer::sum);
    }

    /**
     * Notes that the journal refused a start under the grant: it ended meanwhile. Reading it again
     * says so, but for a clock that goes wrong.
     */
    public void refused(String grantId) {
        refused.merge(grantId, 1, Integer::sum);
    }
}
