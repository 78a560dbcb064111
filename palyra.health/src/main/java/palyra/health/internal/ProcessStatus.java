package palyra.health.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Reads {@code /proc} about this process; values are empty where it does not exist. */
final class ProcessStatus {
    private static final long KIBI = 1_024;

    private final Path folder;

    /**
     * @param folder normally {@code /proc/self}
     */
    ProcessStatus(Path folder) {
        this.folder = folder;
    }

    /** Returns the memory in use, in bytes. */
    OptionalLong residentBytes() {
        try (var lines = Files.lines(folder.resolve("status"))) {
            return lines.filter(line -> line.matches("VmRSS:\\s+\\d+ kB"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBI)
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns how many files, sockets and the like are open. */
    OptionalLong openFiles() {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.resolve("fd"))) {
            long count = 0;
            for (Path entry : entries) {
                count += entry == null ? 0 : 1;
            }
            return OptionalLong.of(count);
        } catch (IOException | DirectoryIteratorException e) {
            return OptionalLong.empty();
        }
    }
}
