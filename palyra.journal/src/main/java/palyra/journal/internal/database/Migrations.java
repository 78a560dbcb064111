package palyra.journal.internal.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Brings a database to the form that this bundle writes. Each migration is one transaction. It
 * names the oldest reader that still understands the form it leaves: one that only expands keeps
 * the number of those before it, one that contracts raises it.
 */
public final class Migrations {
    /** Marks a database as ours: "PLYR". */
    public static final int APPLICATION_ID = 0x504C5952;

    private static final Pattern MIN_READER = Pattern.compile("^-- min-reader: (\\d+)\\s*$");

    private final List<Migration> migrations;

    /**
     * One step.
     *
     * @param number the version that it leads to
     * @param minReader oldest version of this bundle's form that can read what it leaves
     */
    public record Migration(int number, int minReader, List<String> statements) {
        /** Reads a step from its text. */
        public static Migration parse(int number, String text) {
            Matcher header = MIN_READER.matcher(text.lines().findFirst().orElse(""));
            if (!header.matches()) {
                throw new IllegalStateException("migration " + number + " names no min-reader");
            }
            StringBuilder bare = new StringBuilder();
            text.lines()
                    .filter(line -> !line.stripLeading().startsWith("--"))
                    .forEach(line -> bare.append(line).append('\n'));
            List<String> statements = new ArrayList<>();
            for (String statement : bare.toString().split(";", -1)) {
                if (!statement.isBlank()) {
                    statements.add(statement.strip());
                }
            }
            return new Migration(number, Integer.parseInt(header.group(1)), statements);
        }
    }

    public Migrations(List<Migration> migrations) {
        this.migrations = List.copyOf(migrations);
    }

    /** Returns the steps that the bundle brings. */
    public static Migrations bundled() {
        List<Migration> found = new ArrayList<>();
        for (int number = 1; ; number++) {
            String name = String.format("/migrations/%04d.sql", number);
            try (InputStream text = Migrations.class.getResourceAsStream(name)) {
                if (text == null) {
                    return new Migrations(found);
                }
                String all = new String(text.readAllBytes(), StandardCharsets.UTF_8);
                found.add(Migration.parse(number, all));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + name, e);
            }
        }
    }

    /** Returns the form that this bundle writes. */
    public int latest() {
        return migrations.size();
    }

    /** Looks at a database before anything of it is touched; throws when it is not for us. */
    public void inspect(Sql sql) throws SQLException {
        long version = sql.pragma("PRAGMA user_version");
        boolean ours = sql.pragma("PRAGMA application_id") == APPLICATION_ID;
        boolean empty = sql.pragma("SELECT count(*) FROM sqlite_schema") == 0;
        if (!ours && !empty) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The journal's database is not a journal of Palyra; move the file away or point"
                            + " the state folder elsewhere. Nothing of it was changed.");
        }
        if (version == 0) {
            return;
        }
        long minReader = sql.pragma("SELECT value FROM meta WHERE name = 'min_reader'");
        if (minReader > latest()) {
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    "The journal was written by a newer Palyra: it needs a reader of version "
                            + minReader
                            + " and this one is of version "
                            + latest()
                            + "; install the newer one again. Nothing of it was changed.");
        }
    }

    /** Takes the steps that are missing. */
    public void apply(Sql sql) throws SQLException {
        long version = sql.pragma("PRAGMA user_version");
        for (Migration migration : migrations) {
            if (migration.number() > version) {
                apply(sql, migration);
            }
        }
    }

    private static void apply(Sql sql, Migration migration) throws SQLException {
        sql.execute("BEGIN IMMEDIATE");
        try {
            for (String statement : migration.statements()) {
                sql.execute(statement);
            }
            sql.execute(
                    "INSERT INTO meta (name, value) VALUES ('min_reader', "
                            + migration.minReader()
                            + ") ON CONFLICT (name) DO UPDATE SET"
                            + " value = max(value, excluded.value)");
            sql.execute("PRAGMA application_id = " + APPLICATION_ID);
            sql.execute("PRAGMA user_version = " + migration.number());
            sql.execute("COMMIT");
        } catch (SQLException e) {
            sql.rollbackQuietly();
            throw e;
        }
    }
}
