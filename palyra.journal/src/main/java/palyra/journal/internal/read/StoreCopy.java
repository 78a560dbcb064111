package palyra.journal.internal.read;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalCopier.Copied;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.database.Sql;
import palyra.shared.files.FileTree;
import palyra.shared.files.MediumFailure;

/**
 * Copies a store that is in use: the database by SQLite's online backup in one step, which sees one
 * moment, then the payload files that this database refers to. Thread-safe.
 */
public final class StoreCopy {
    /** Tries when a payload was erased between the two. */
    private static final int TRIES = 3;

    private static final int PAGE = 1_000;

    private final DatabaseFile file;
    private final PayloadFiles files;
    private final Health health;

    public StoreCopy(DatabaseFile file, PayloadFiles files, Health health) {
        this.file = file;
        this.files = files;
        this.health = health;
    }

    /** Copies the store into {@code folder}. */
    public Copied to(Path folder, BooleanSupplier cancelled) {
        if (!file.exists()) {
            throw health.refusal();
        }
        DatabaseFile copy = new DatabaseFile(folder);
        try {
            copy.prepare();
            for (int i = 1; ; i++) {
                file.copyTo(copy);
                try {
                    return payloads(copy, folder.resolve("payloads"), cancelled);
                } catch (NoSuchFileException e) {
                    if (i == TRIES) {
                        throw lost(e.getMessage());
                    }
                }
            }
        } catch (SQLException | IOException e) {
            throw new PalyraException(
                    MediumFailure.of(e, folder) == MediumFailure.NO_SPACE
                            ? ErrorCode.DISK_FULL
                            : ErrorCode.JOURNAL_UNAVAILABLE,
                    "The journal cannot be copied to " + folder + ": " + e.getMessage(),
                    e);
        }
    }

    private Copied payloads(DatabaseFile copy, Path folder, BooleanSupplier cancelled)
            throws SQLException, IOException {
        long count = 0;
        FileTree.remove(folder); // of the try before: it may have what was erased since
        PayloadFiles target = new PayloadFiles(folder);
        try (Sql sql = new Sql(copy.open(DatabaseFile.Use.WRITE))) {
            String last = "";
            List<String> page;
            do {
                page =
                        sql.list(
                                "SELECT sha256 FROM payload_files WHERE refs > 0 AND sha256 > ?"
                                        + " ORDER BY sha256 LIMIT ?",
                                row -> row.getString(1),
                                last,
                                PAGE);
                for (String sha256 : page) {
                    if (cancelled.getAsBoolean()) {
                        throw new PalyraException(
                                ErrorCode.CANCELLED, "The copy of the journal was cancelled.");
                    }
                    files.copyTo(target, sha256);
                    last = sha256;
                    count++;
                }
            } while (!page.isEmpty());
            return new Copied(copy.bytes(), count, sql.number("SELECT count(*) FROM tape", 0));
        }
    }

    private static PalyraException lost(String name) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The payload file "
                        + name
                        + " is not there, though a record refers to it; run palyra tape verify.");
    }
}
