package palyra.journal.internal.database;

import java.sql.SQLException;

/**
 * A commit that the medium did not confirm: what was written may be found there when the database
 * is opened anew, or not. The number of the group tells which, once that can be read.
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
