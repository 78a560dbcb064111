package palyra.api.core.access;

import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.core.journal.Operation;

/**
 * A permit and its record. A caller that changes the journal under it puts {@code record} into the
 * same unit, so that change and permission are durable together.
 *
 * @param record journal event {@code access_decision}
 */
public record Authorized(Permit permit, Operation.Append record) {
    /** Checks. */
    public Authorized {
        Require.present(permit, "permit");
        Require.present(record, "record");
    }
}
