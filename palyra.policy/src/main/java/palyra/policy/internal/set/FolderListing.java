package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.shared.files.FileStamp;

/**
 * What the files of one policy folder look like from outside. Two looks that are equal, with some
 * time in between, mean that no process writes there.
 *
 * @param folder which
 * @param exists whether it is a folder
 * @param crowded whether it has more than {@value #MAX_ENTRIES} entries, so that the rest was not
 *     listed
 * @param stamps files that count, by name
 */
record FolderListing(
        Path folder, boolean exists, boolean crowded, SortedMap<String, FileStamp> stamps) {
    static final int MAX_ENTRIES = 10_000;

    /**
     * Looks.
     *
     * @throws IOException when the folder is there and cannot be listed
     */
    static FolderListing at(Path folder) throws IOException {
        TreeMap<String, FileStamp> stamps = new TreeMap<>();
        if (!Files.isDirectory(folder)) {
            return new FolderListing(folder, false, false, stamps);
        }
        int entries = 0;
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path file : stream) {
                if (++entries > MAX_ENTRIES) {
                    return new FolderListing(folder, true, true, new TreeMap<>());
                }
                String name = file.getFileName().toString();
                if (FileKind.of(name).isPresent() && !Files.isDirectory(file)) {
                    stamps.put(name, stamp(file));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new FolderListing(folder, true, false, stamps);
    }

    private static FileStamp stamp(Path file) throws IOException {
        try {
            return FileStamp.of(file);
        } catch (NoSuchFileException e) {
            return FileStamp.GONE; // a link to nothing, or gone since it was listed
        }
    }

    /** Returns when anything here was last changed, unix milliseconds; 0 when there is nothing. */
    long lastChangeMillis() {
        return stamps.values().stream()
                .mapToLong(
                        stamp -> Math.max(stamp.changed().toMillis(), stamp.modified().toMillis()))
                .max()
                .orElse(0);
    }
}
