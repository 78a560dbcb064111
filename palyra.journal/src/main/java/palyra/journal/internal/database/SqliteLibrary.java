package palyra.journal.internal.database;

import java.io.IOException;
import java.net.URL;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import palyra.shared.files.MediumFailure;

/**
 * SQLite's native library. An installation has it as a file, named by system properties; elsewhere
 * the driver unpacks it. The driver tries that once and calls into nothing ever after, so it is
 * loaded here before the driver's own first try, as often as that takes.
 */
final class SqliteLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);

    /** Room for what the file system itself needs. */
    private static final long MARGIN_BYTES = 64 << 10;

    /** What the JVM knows of itself and does not tell: a library is loaded for good. */
    private static volatile boolean loaded;

    private SqliteLibrary() {}

    /** The library is not loaded. The next call tries again. */
    static final class Missing extends SQLException {
        private static final long serialVersionUID = 1L;

        private final boolean full;

        Missing(String sentence, boolean full, Throwable cause) {
            super(sentence, cause);
            this.full = full;
        }

        /** Returns whether a medium without space is the reason. */
        boolean full() {
            return full;
        }
    }

    /**
     * Loads the library; cheap once it is loaded.
     *
     * @throws Missing it cannot be loaded now; the message names the folder and the remedy
     */
    static void require() throws Missing {
        if (!loaded) {
            load(folder());
        }
    }

    private static synchronized void load(Path folder) throws Missing {
        requireRoom(folder);
        Set<Path> before = unpacked(folder);
        try {
            SQLiteJDBCLoader.initialize();
            loaded = true;
        } catch (Exception | LinkageError e) {
            removeNew(folder, before);
            throw missing(folder, e);
        }
    }

    /** The driver gives each try a file of its own and leaves it when the try failed. */
    private static void removeNew(Path folder, Set<Path> before) {
        for (Path file : unpacked(folder)) {
            try {
                if (!before.contains(file)) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                LOG.debug("{} stays until the next start", file, e);
            }
        }
    }

    private static Set<Path> unpacked(Path folder) {
        Set<Path> found = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "sqlite-*")) {
            files.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("{} cannot be listed", folder, e);
        }
        return found;
    }

    /** An attempt without space would leave a partial file, and so use up freed space. */
    private static void requireRoom(Path folder) throws Missing {
        long free = MediumFailure.freeBytes(folder);
        long needed = neededBytes();
        if (free >= 0 && free < needed) {
            throw new Missing(
                    "The SQLite library of "
                            + needed
                            + " bytes could not be unpacked: the medium of "
                            + folder
                            + " has too little space left ("
                            + free
                            + " bytes free); free some and the journal opens by itself.",
                    true,
                    null);
        }
    }

    private static Missing missing(Path folder, Throwable e) {
        MediumFailure failure = MediumFailure.of(e, folder);
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new Missing(
                "The SQLite library could not be loaded from "
                        + folder
                        + ": "
                        + reason.replaceAll("[.\\s]+$", "")
                        + "; start Palyra with -Dorg.sqlite.tmpdir=FOLDER, a folder where programs"
                        + " may be executed and that has "
                        + neededBytes()
                        + " bytes free.",
                failure == MediumFailure.NO_SPACE,
                e);
    }

    /** Zero when nothing has to be unpacked. */
    private static long neededBytes() {
        String laid = System.getProperty("org.sqlite.lib.path");
        if (laid != null && Files.isRegularFile(Path.of(laid, libraryName()))) {
            return 0;
        }
        return packedBytes() + MARGIN_BYTES;
    }

    private static String libraryName() {
        String name = System.getProperty("org.sqlite.lib.name");
        return name == null ? LibraryLoaderUtil.getNativeLibName() : name;
    }

    private static long packedBytes() {
        URL packed =
                SQLiteJDBCLoader.class.getResource(
                        LibraryLoaderUtil.getNativeLibResourcePath()
                                + "/"
                                + LibraryLoaderUtil.getNativeLibName());
        try {
            return packed == null ? 0 : packed.openConnection().getContentLengthLong();
        } catch (IOException e) {
            return 0; // the driver then says what it misses
        }
    }

    private static Path folder() {
        return Path.of(
                System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir")));
    }
}
