package palyra.skills.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.ArtifactLimits;

/**
 * The artifacts as files that are called by their digest, written before anything speaks of them.
 * Thread-safe: two writers of one digest write the same bytes.
 */
public final class ArtifactFiles {
    private static final String SUFFIX = ".palyra-skill";

    /** A file that nothing speaks of is left alone so long: its record may be on its way. */
    private static final long GRACE_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final Path folder;
    private final DurableFiles files;

    /**
     * @param folder folder of the artifacts; made when it is needed
     */
    public ArtifactFiles(Path folder, DurableFiles files) {
        this.folder = folder;
        this.files = files;
    }

    private Path file(String sha256) {
        return folder.resolve(sha256 + SUFFIX);
    }

    /** Writes an artifact; durable when it returns. DISK_FULL or READ_ONLY when it cannot be. */
    public void put(String sha256, byte[] bytes) {
        Path file = file(sha256);
        Path part = folder.resolve(sha256 + "." + Thread.currentThread().threadId() + ".part");
        try {
            files.makeFolder(folder);
            if (holds(file, sha256)) {
                return;
            }
            files.delete(part);
            files.writeNew(part, bytes);
            files.rename(part, file);
            files.sync(folder);
        } catch (IOException e) {
            throw new PalyraException(
                    MediumFailure.of(e, folder).code(ErrorCode.READ_ONLY),
                    "The artifact cannot be written: " + MediumFailure.sentence(e, folder) + ".",
                    e);
        }
    }

    private static boolean holds(Path file, String sha256) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) <= ArtifactLimits.MAX_BYTES
                && Digests.sha256Hex(Files.readAllBytes(file)).equals(sha256);
    }

    /**
     * Returns an artifact's bytes, which have this digest.
     *
     * @throws RefusedException {@code artifact_missing} or {@code artifact_changed}
     */
    public byte[] read(String sha256) {
        Path file = file(sha256);
        byte[] bytes;
        try (InputStream in =
                Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(ArtifactLimits.MAX_BYTES + 1);
        } catch (IOException e) {
            throw new RefusedException(
                    "artifact_missing",
                    "The file of the artifact cannot be read: " + file + ". Install it again.",
                    e);
        }
        if (!Digests.sha256Hex(bytes).equals(sha256)) {
            throw new RefusedException(
                    "artifact_changed",
                    "The file of the artifact is not the one that was installed: "
                            + file
                            + ". Install the same artifact again to repair it, then enable it.");
        }
        return bytes;
    }

    /** Deletes one; nothing happens when it is not there. */
    public void delete(String sha256) throws IOException {
        files.delete(file(sha256));
    }

    /**
     * Deletes files that nothing speaks of and that are older than ten minutes.
     *
     * @param keep digests that are spoken of
     * @return how many were deleted
     */
    public int sweep(Set<String> keep, long nowMillis) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return 0;
        }
        List<Path> orphans = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                String name = each.getFileName().toString();
                String digest = name.replace(SUFFIX, "");
                boolean old =
                        Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS).toMillis()
                                < nowMillis - GRACE_MILLIS;
                if (old && !keep.contains(digest)) {
                    orphans.add(each);
                }
            }
        }
        for (Path each : orphans) {
            files.delete(each);
        }
        return orphans.size();
    }
}
