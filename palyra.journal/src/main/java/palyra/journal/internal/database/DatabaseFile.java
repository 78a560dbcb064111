package palyra.journal.internal.database;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/** The database's files and how they are opened. */
public final class DatabaseFile implements ConnectionSource {
    private final Path folder;
    private final Path file;
    private final Path log;

    /** An empty file that says that there has been a database with content. */
    private final Path begun;

    /** Names the files of the store in {@code folder}; touches nothing. */
    public DatabaseFile(Path folder) {
        this.folder = folder.toAbsolutePath();
        this.file = real(this.folder.resolve("journal.db"));
        this.log = file.resolveSibling(file.getFileName() + "-wal");
        this.begun = this.folder.resolve("journal.db.begun");
    }

    /** SQLite keeps its files beside the real one. */
    private static Path real(Path named) {
        try {
            return named.toRealPath();
        } catch (IOException e) {
            return named; // not there yet
        }
    }

    /** Returns the database. */
    Path path() {
        return file;
    }

    /** Returns the folder that the store lives in. */
    public Path folder() {
        return folder;
    }

    /** Returns whether a database with content is there. */
    public boolean exists() {
        return size(file) > 0;
    }

    /**
     * Returns whether something says that there has been a database with content, which is then
     * lost when it is not there now. An empty database alone says nothing: the first start may have
     * ended before anything was written.
     */
    public boolean wasBegun() {
        return Files.exists(begun)
                || size(log) > 0
                || Files.isDirectory(folder.resolve("payloads"))
                || (Files.notExists(file) && Files.exists(lockOf(file)));
    }

    /** Remembers that the database has content from now on. */
    public void begin() throws IOException {
        if (Files.notExists(begun)) {
            Files.createFile(begun, mode("rw-------"));
        }
    }

    /** Returns the file of the lock on a database, beside its real path. */
    static Path lockOf(Path real) {
        return real.resolveSibling(real.getFileName() + ".lock");
    }

    /** Creates the folder and an empty file, accessible to their owner only. */
    public void prepare() throws IOException {
        Files.createDirectories(folder, mode("rwx------"));
        try {
            Files.createFile(file, mode("rw-------"));
        } catch (FileAlreadyExistsException e) {
            // the usual case
        }
    }

    /** Returns the attribute that sets a mode at creation, or none where there are no modes. */
    static FileAttribute<?>[] mode(String mode) {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        };
    }

    /** Returns the bytes of the database with its write-ahead log. */
    public long bytes() {
        return size(file) + size(log);
    }

    /** Returns the bytes of the write-ahead log. */
    public long logBytes() {
        return size(log);
    }

    /** Returns the space that is left for us, or -1 when the medium does not say. */
    public long freeBytes() {
        try {
            Path there = Files.exists(folder) ? folder : folder.getParent();
            return Files.getFileStore(there).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns whether the medium as a whole says that it takes no writes. */
    boolean mediumReadOnly() {
        try {
            return Files.getFileStore(folder).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public Connection open(Use use) throws SQLException {
        return switch (use) {
            case WRITE, CHECKPOINT -> connect("?mode=rw", SQLiteOpenMode.READWRITE);
            case INSPECT -> openReader(size(log) == 0);
            case READ -> openReader(size(log) == 0 && mediumReadOnly());
        };
    }

    /**
     * While there is no log the file alone is the whole truth. Reading it as unchanging leaves no
     * trace beside it, and is the only way on a read-only medium.
     */
    private Connection openReader(boolean unchanging) throws SQLException {
        return connect(unchanging ? "?immutable=1" : "?mode=ro", SQLiteOpenMode.READONLY);
    }

    private Connection connect(String query, SQLiteOpenMode mode) throws SQLException {
        return connect(file, query, mode);
    }

    /**
     * Copies the database, as it is at one moment, over another one that no process has open. What
     * writers commit meanwhile is not in it and waits for nothing.
     */
    public void copyTo(DatabaseFile target) throws SQLException {
        try (Connection source = open(Use.READ)) {
            int code =
                    source.unwrap(SQLiteConnection.class)
                            .getDatabase()
                            .backup("main", target.file.toString(), null, 0, 0, -1);
            if (code != SQLiteErrorCode.SQLITE_OK.code) {
                SQLiteErrorCode error = SQLiteErrorCode.getErrorCode(code);
                throw new SQLiteException("SQLite's backup ended with " + error, error);
            }
        }
    }

    /** Opens a connection to another file that is there, for reading and writing. */
    static Connection connect(Path other) throws SQLException {
        return connect(other, "?mode=rw", SQLiteOpenMode.READWRITE);
    }

    private static Connection connect(Path path, String query, SQLiteOpenMode mode)
            throws SQLException {
        SqliteLibrary.require();
        SQLiteConfig config = new SQLiteConfig();
        // Otherwise the driver asks for the row id after every insert, a fifth of the writer's
        // time.
        config.setGetGeneratedKeys(false);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.resetOpenMode(SQLiteOpenMode.READWRITE);
        config.setOpenMode(mode);
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        return config.createConnection("jdbc:sqlite:" + uri(path) + query);
    }

    private static String uri(Path path) {
        return "file:" + path.toUri().getRawPath(); // ? and # of a folder's name are escaped
    }
}
