package palyra.journal.internal.write;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.DatabaseLock;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.table.NodeTable;
import palyra.journal.internal.table.StreamHead;
import palyra.journal.internal.table.TapeTable;

/** Opens the database for writing: looks before it touches, migrates, and after a stop verifies. */
public final class DatabaseOpener {
    private static final int MOST_FOUND = 300;

    private final JournalSettings settings;
    private final DatabaseFile file;
    private final DatabaseLock lock;
    private final ConnectionSource connections;
    private final Migrations migrations;
    private final HeadSigner signer;
    private final StoreClock clock;
    private volatile String nodeId;

    public DatabaseOpener(
            JournalSettings settings,
            DatabaseFile file,
            DatabaseLock lock,
            ConnectionSource connections,
            Migrations migrations,
            HeadSigner signer,
            StoreClock clock) {
        this.settings = settings;
        this.nodeId = settings.node().id();
        this.file = file;
        this.lock = lock;
        this.connections = connections;
        this.migrations = migrations;
        this.signer = signer;
        this.clock = clock;
    }

    /** The next opening is for another node; its boot id stays. */
    void node(String id) {
        nodeId = id;
    }

    /** Opens for the first time since the process began. */
    WriteContext open() throws SQLException, IOException, DatabaseLock.Held {
        boolean isNew = !file.exists();
        if (isNew && file.wasBegun()) {
            throw gone();
        }
        file.prepare();
        if (lock.wasEverTaken()) {
            lock.take();
        } // otherwise no process holds it, and a database that is too new stays as it is
        if (!isNew) {
            inspect();
        }
        lock.take();
        return connect();
    }

    /**
     * Opens after a stop; throws when something that was acknowledged is missing or damaged.
     *
     * @param unconfirmed whether a commit is to be looked up: then the log goes into the database
     *     first and restarts. Records found afterwards are durable, and records not found cannot
     *     come back: a frame that a failed sync left in the log would count again after a crash
     * @param damaged whether damage was met: then all pages are looked at, which takes as long as
     *     the database is large
     */
    WriteContext reopen(Map<String, StreamHead> acknowledged, boolean unconfirmed, boolean damaged)
            throws SQLException, IOException, DatabaseLock.Held {
        if (!file.exists()) {
            throw gone();
        }
        lock.take();
        inspect();
        if (unconfirmed) {
            emptyLog();
        }
        WriteContext context = connect();
        try {
            verify(context, acknowledged, damaged);
            return context;
        } catch (SQLException | RuntimeException | Error e) {
            context.sql().closeQuietly();
            throw e;
        }
    }

    private static PalyraException gone() {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The journal's database is gone or empty while other files of the journal are"
                        + " there; put the database back, or move the whole journal folder away to"
                        + " restart.");
    }

    private void inspect() throws SQLException {
        try (Sql sql = new Sql(connections.open(ConnectionSource.Use.INSPECT))) {
            sql.execute("PRAGMA busy_timeout = " + settings.medium().busyMillis());
            migrations.inspect(sql);
        }
    }

    private WriteContext connect() throws SQLException, IOException {
        Sql sql = new Sql(connections.open(ConnectionSource.Use.WRITE));
        try {
            sql.execute("PRAGMA busy_timeout = " + settings.medium().busyMillis());
            sql.execute("PRAGMA page_size = 4096"); // this and the next only count at creation
            sql.execute("PRAGMA auto_vacuum = INCREMENTAL");
            requireLogMode(sql);
            file.begin();
            for (String pragma : PRAGMAS) {
                sql.execute(pragma);
            }
            sql.execute("PRAGMA journal_size_limit = " + settings.medium().logLimitBytes());
            migrations.apply(sql);
            SessionIndex.create(sql);
            Optional<StreamHead> restored = fillIn(sql, nodeId);
            clock.load(sql);
            WriteContext context =
                    new WriteContext(
                            sql,
                            lock,
                            settings.upkeep().headCache(),
                            signer,
                            clock,
                            settings.node().bootId());
            if (restored.isPresent()) {
                JournalHead.record(context, restored.get());
            }
            return context;
        } catch (SQLException | IOException | RuntimeException | Error e) {
            sql.closeQuietly();
            throw e;
        }
    }

    /** Checkpoints have a connection of their own; erased data must not stay on free pages. */
    private static final String[] PRAGMAS = {
        "PRAGMA synchronous = FULL",
        "PRAGMA fullfsync = ON",
        "PRAGMA checkpoint_fullfsync = ON",
        "PRAGMA wal_autocheckpoint = 0",
        "PRAGMA secure_delete = ON",
        "PRAGMA mmap_size = 0",
        "PRAGMA temp_store = MEMORY",
        "PRAGMA cache_size = -16384",
        "PRAGMA cell_size_check = ON",
        "PRAGMA trusted_schema = OFF",
    };

    private void emptyLog() throws SQLException {
        try (Sql sql = new Sql(connections.open(ConnectionSource.Use.CHECKPOINT))) {
            sql.execute("PRAGMA busy_timeout = " + settings.medium().busyMillis());
            sql.execute("PRAGMA synchronous = FULL");
            sql.execute("PRAGMA checkpoint_fullfsync = ON");
            if (sql.number("PRAGMA wal_checkpoint(TRUNCATE)", 1) != 0) {
                throw new SQLiteException(
                        "a reader holds the write-ahead log", SQLiteErrorCode.SQLITE_BUSY);
            }
        }
    }

    private static void requireLogMode(Sql sql) throws SQLException {
        String mode = sql.text("PRAGMA journal_mode = WAL");
        if (!mode.equals("wal")) {
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    "The journal's medium allows no write-ahead log (mode "
                            + mode
                            + "); put the state folder on a local file system.");
        }
    }

    /** Writes what a database of this form always holds, and so finds out that it takes writes. */
    private static Optional<StreamHead> fillIn(Sql sql, String nodeId) throws SQLException {
        sql.execute("BEGIN IMMEDIATE");
        try {
            sql.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('waiting', 0)");
            sql.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('records', 0)");
            sql.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('groups', 0)");
            NodeTable.require(sql, nodeId);
            Optional<StreamHead> restored = JournalHead.require(sql);
            sql.execute("COMMIT");
            return restored;
        } catch (SQLException | RuntimeException e) {
            sql.rollbackQuietly();
            throw e;
        }
    }

    private static void verify(
            WriteContext context, Map<String, StreamHead> acknowledged, boolean damaged)
            throws SQLException {
        if (damaged) {
            requireSound(context.sql());
        }
        for (Map.Entry<String, StreamHead> known : acknowledged.entrySet()) {
            requireKept(context.tables().tape(), known.getKey(), known.getValue());
        }
    }

    /**
     * Looks at all pages; throws when one is damaged that anything but the index of sessions needs.
     * Damage outside of every other table is the index's, or of pages that nothing uses any more.
     */
    public static void requireSound(Sql sql) throws SQLException {
        String found = sql.text("PRAGMA quick_check(1)");
        if (found.equals("ok")) {
            return;
        }
        if (found.toLowerCase(Locale.ROOT).contains("freelist")) {
            throw damaged(found);
        }
        for (String table : SessionIndex.otherTables(sql)) {
            String of = sql.text("PRAGMA quick_check('" + table + "')");
            if (!of.equals("ok")) {
                throw damaged(of);
            }
        }
    }

    /** Names the damaged part: tapes are intact when only another table or an index is damaged. */
    private static PalyraException damaged(String found) {
        String line = found.lines().findFirst().orElse(found);
        return new PalyraException(
                ErrorCode.CORRUPT,
                SqliteFailure.CORRUPT.sentence()
                        + " SQLite found: "
                        + line.substring(0, Math.min(line.length(), MOST_FOUND))
                        + " (palyra tape verify looks at tapes only).");
    }

    private static void requireKept(TapeTable tape, String streamId, StreamHead head)
            throws SQLException {
        boolean kept =
                head.seq() == 0
                        ? tape.stream(streamId).isPresent()
                        : sameHash(tape.find(streamId, head.streamNo(), head.seq()), head);
        if (!kept) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "After the journal was reopened, record "
                            + head.seq()
                            + " of "
                            + streamId
                            + " was missing although it had been acknowledged; restore a backup or"
                            + " copy the database aside.");
        }
    }

    private static boolean sameHash(Optional<TapeTable.Row> row, StreamHead head) {
        return row.isPresent() && Arrays.equals(row.get().record().hash(), head.hash());
    }
}
