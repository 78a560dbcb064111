package palyra.config.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;

/**
 * Copies of the operator's files as they were last in force, so that a file that is refused costs
 * nothing at a start either: the gateway goes on with what it had. Without a folder it keeps
 * nothing. Not thread-safe.
 */
final class LastGood {
    /** Keeps nothing. */
    static final LastGood NONE = new LastGood(Optional.empty());

    private static final Logger LOG = LoggerFactory.getLogger(LastGood.class);
    private static final String PART = ".part";

    private final Optional<Path> folder;
    private final DurableFiles files = new DurableFiles();

    LastGood(Optional<Path> folder) {
        this.folder = folder;
    }

    /** Returns a source as it was last in force; empty when that is not known. */
    Optional<Source> find(Source.Id id, Target target) {
        return folder.flatMap(at -> read(at.resolve(id.file())))
                .map(
                        bytes ->
                                new Source(
                                        id,
                                        target,
                                        Digests.sha256Hex(bytes),
                                        ConfigurationValidator.read(bytes)));
    }

    private static Optional<byte[]> read(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            && Files.size(file) <= ConfigurationFolder.MAX_BYTES
                    ? Optional.of(Files.readAllBytes(file))
                    : Optional.empty();
        } catch (IOException e) {
            LOG.warn("The last good copy {} cannot be read", file, e);
            return Optional.empty();
        }
    }

    /** Keeps what a file holds that is in force now. */
    void keep(String name, byte[] content) {
        if (folder.isEmpty()) {
            return;
        }
        Path file = folder.get().resolve(name);
        Path part = folder.get().resolve(name + PART);
        try {
            if (read(file).filter(kept -> Arrays.equals(kept, content)).isPresent()) {
                return;
            }
            files.makeFolder(folder.get());
            Files.deleteIfExists(part);
            files.writeNew(part, content);
            files.rename(part, file);
            files.sync(folder.get());
        } catch (IOException e) {
            LOG.warn("The configuration in force cannot be kept beside as {}", file, e);
        }
    }

    /** Forgets copies of files that are gone. */
    void retain(Set<String> names) {
        if (folder.isEmpty() || !Files.isDirectory(folder.get())) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder.get())) {
            for (Path each : all) {
                if (!names.contains(each.getFileName().toString())) {
                    Files.delete(each);
                }
            }
        } catch (IOException e) {
            LOG.warn("Copies of removed configuration files cannot be deleted", e);
        }
    }
}
