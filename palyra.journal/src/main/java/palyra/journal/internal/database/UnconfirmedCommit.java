package palyra.journal.internal.database;

import java.sql.SQLException;

/**
 * A commit that the medium did not confirm: its writes may be there when the database is opened
 * again, or not. The number of the group decides, once it can be read.
 */
public final class UnconfirmedCommit extends SQLException {
    private static final long serialVersionUID = 1L;

    private final long group;

    public UnconfirmedCommit(long group, Throwable cause) {
        super(cause.getMessage(), cause);
        this.group = group;
    }

    /** Returns the number of the group. */
    public long group() {
        return group;
    }
}
