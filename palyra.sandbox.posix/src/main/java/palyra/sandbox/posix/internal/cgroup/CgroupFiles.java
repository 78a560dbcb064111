package palyra.sandbox.posix.internal.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Files of a cgroup file system. Making and removing folders can be replaced, because the kernel
 * fills and empties them. Thread-safe.
 */
public class CgroupFiles {
    /** Makes a folder. */
    void make(Path folder) throws IOException {
        Files.createDirectory(folder);
    }

    /** Removes a folder that has no processes and no folders. */
    void remove(Path folder) throws IOException {
        Files.delete(folder);
    }

    void write(Path folder, String file, String value) throws IOException {
        Files.write(
                folder.resolve(file),
                value.getBytes(StandardCharsets.US_ASCII),
                StandardOpenOption.WRITE);
    }

    boolean has(Path folder, String file) {
        return Files.exists(folder.resolve(file));
    }

    Optional<String> read(Path folder, String file) {
        try {
            return Optional.of(
                    Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1).strip());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** Returns the only number in a file; -1 without one. */
    long number(Path folder, String file) {
        return read(folder, file).map(CgroupFiles::parsed).orElse(-1L);
    }

    /** Returns the number behind a word at the start of a line; -1 without such a line. */
    long number(Path folder, String file, String word) {
        for (String line : read(folder, file).orElse("").split("\n")) {
            if (line.startsWith(word + " ")) {
                return parsed(line.substring(word.length() + 1).strip());
            }
        }
        return -1;
    }

    private static long parsed(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException word) {
            return -1;
        }
    }

    List<Path> folders(Path folder) {
        List<Path> below = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path each : all) {
                if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    below.add(each);
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return below;
        }
        return below;
    }

    /** Returns a folder and all below it, the deepest first. */
    List<Path> tree(Path folder) {
        List<Path> all = new ArrayList<>();
        for (Path below : folders(folder)) {
            all.addAll(tree(below));
        }
        all.add(folder);
        return all;
    }
}
