package palyra.journal.internal.database;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the database. Tests put failing media here. */
@FunctionalInterface
public interface ConnectionSource {
    /** What a connection is for. */
    enum Use {
        /** Reading before anything may be changed; nothing is created. */
        INSPECT,
        /** The writer's. */
        WRITE,
        /** The checkpoints'. */
        CHECKPOINT,
        /** One of the readers'. */
        READ
    }

    /** Opens a connection without any settings applied. */
    Connection open(Use use) throws SQLException;
}
