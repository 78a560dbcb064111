package palyra.policy.internal.set;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;

/**
 * The sets that were in force, on disk: {@code sets/<sha256>/} with files and what they compiled
 * to, and {@code current.json}. A crash at any moment leaves the old state or the new one. What
 * comes back was checked against its digests. Used by one thread.
 */
final class SetStore {
    private static final Logger LOG = LoggerFactory.getLogger(SetStore.class);

    /** More than the largest set that the limits admit takes in any file, compiled. */
    private static final int MAX_BYTES = 48 << 20;

    static final String TEMPORARY = ".tmp-";

    private final Path folder;
    private final Path sets;
    private final DurableFiles disk;

    /**
     * @param folder made when something is stored
     */
    SetStore(Path folder, DurableFiles disk) {
        this.folder = folder;
        this.sets = folder.resolve("sets");
        this.disk = disk;
    }

    /** Returns where everything is stored. */
    Path folder() {
        return folder;
    }

    /**
     * Returns the index; {@link StoreIndex#NONE} when nothing was stored yet.
     *
     * @throws PalyraException CORRUPT when it cannot be understood
     */
    StoreIndex index() {
        try {
            return StoreIndex.parse(bytes(folder.resolve("current.json")));
        } catch (NoSuchFileException e) {
            return StoreIndex.NONE;
        } catch (IOException | PalyraException e) {
            throw corrupt("The index of policy sets cannot be used: " + e.getMessage(), e);
        }
    }

    /** Replaces the index; durable when it returns. */
    void index(StoreIndex index) throws IOException {
        disk.makeFolder(folder);
        Path temporary = folder.resolve(TEMPORARY + UUID.randomUUID());
        disk.writeNew(temporary, index.bytes());
        disk.rename(temporary, folder.resolve("current.json"));
        disk.sync(folder);
    }

    /**
     * Stores a set; durable when it returns the digest of its record. One that is there already and
     * whole is left as it is.
     */
    String put(CompiledSet set) throws IOException {
        Path place = sets.resolve(set.sha256());
        byte[] record = SetRecord.of(set).bytes();
        String digest = Digests.sha256Hex(record);
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            if (whole(set.sha256(), digest)) {
                return digest;
            }
            Path broken = sets.resolve(TEMPORARY + UUID.randomUUID());
            disk.rename(place, broken);
            disk.delete(broken);
        }
        disk.makeFolder(sets);
        Path temporary = sets.resolve(TEMPORARY + UUID.randomUUID());
        try {
            write(set, record, temporary);
            disk.rename(temporary, place);
        } catch (IOException e) {
            forget(temporary); // it is retried often, and space may be short
            throw e;
        }
        disk.sync(sets);
        return digest;
    }

    private void forget(Path temporary) {
        try {
            disk.delete(temporary);
        } catch (IOException e) {
            LOG.debug("A half-written policy set stays until the next start.", e);
        }
    }

    private boolean whole(String sha256, String recordSha256) {
        try {
            get(sha256, recordSha256);
            return true;
        } catch (PalyraException e) {
            LOG.warn("A stored policy set is broken and is written again: {}", e.getMessage());
            return false;
        }
    }

    private void write(CompiledSet set, byte[] record, Path to) throws IOException {
        Path files = to.resolve("files");
        Path shipped = files.resolve(SourceSet.SHIPPED_PREFIX);
        disk.makeFolder(shipped);
        for (Map.Entry<String, byte[]> file : set.source().files().entrySet()) {
            disk.writeNew(files.resolve(file.getKey()), file.getValue());
        }
        disk.writeNew(to.resolve("compiled.json"), SetRecord.utf8(set.policiesJson()));
        disk.writeNew(to.resolve("schema.json"), SetRecord.utf8(set.schemaJson()));
        disk.writeNew(to.resolve("set.json"), record);
        disk.sync(shipped);
        disk.sync(files);
        disk.sync(to);
    }

    /**
     * Returns a stored set.
     *
     * @param recordSha256 digest of its record as the index has it
     * @throws PalyraException NOT_FOUND, CORRUPT when anything of it differs from its digests
     */
    CompiledSet get(String sha256, String recordSha256) {
        Path place = sets.resolve(sha256);
        try {
            byte[] recordBytes = expect(place.resolve("set.json"), recordSha256, sha256);
            SetRecord record = SetRecord.parse(recordBytes);
            SortedMap<String, byte[]> files = new TreeMap<>();
            for (Map.Entry<String, String> file : record.files().entrySet()) {
                Path path = place.resolve("files").resolve(file.getKey()).normalize();
                if (!path.startsWith(place.resolve("files"))) {
                    throw tampered(sha256, "a file name leads out of it");
                }
                files.put(file.getKey(), expect(path, file.getValue(), sha256));
            }
            SourceSet source = new SourceSet(files, record.switchedOff());
            if (!source.sha256().equals(sha256)) {
                throw tampered(sha256, "its files are those of another set");
            }
            return new CompiledSet(
                    source,
                    record.effective(),
                    text(place.resolve("compiled.json"), record.compiledSha256(), sha256),
                    text(place.resolve("schema.json"), record.schemaSha256(), sha256),
                    record.origins(),
                    record.language(),
                    record.warnings());
        } catch (NoSuchFileException e) {
            boolean gone = !Files.exists(place, LinkOption.NOFOLLOW_LINKS);
            throw gone
                    ? new PalyraException(
                            ErrorCode.NOT_FOUND,
                            "The policy set " + sha256 + " is not kept; look at policy history.")
                    : tampered(sha256, "a file is missing");
        } catch (IOException e) {
            throw corrupt("The stored policy set " + sha256 + " cannot be read.", e);
        }
    }

    private static byte[] expect(Path file, String digest, String sha256) throws IOException {
        byte[] bytes = bytes(file);
        if (!Digests.sha256Hex(bytes).equals(digest)) {
            throw tampered(sha256, file.getFileName() + " was changed");
        }
        return bytes;
    }

    private static String text(Path file, String digest, String sha256) throws IOException {
        return new String(expect(file, digest, sha256), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException(file.getFileName() + " is too large");
            }
            return bytes;
        }
    }

    /** Deletes what the index does not list, and what a crash left. */
    void prune(StoreIndex index) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(sets)) {
            for (Path set : all) {
                if (index.entry(set.getFileName().toString()).isEmpty()) {
                    disk.delete(set);
                }
            }
        } catch (IOException e) {
            LOG.warn("Old policy sets could not be deleted: {}", e.toString());
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, TEMPORARY + "*")) {
            for (Path file : left) {
                disk.delete(file);
            }
        } catch (IOException e) {
            LOG.warn("Leftovers of policy sets could not be deleted: {}", e.toString());
        }
    }

    private static PalyraException tampered(String sha256, String how) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The stored policy set "
                        + sha256
                        + " is not what was stored: "
                        + how
                        + ". It is not used.");
    }

    private static PalyraException corrupt(String message, Exception cause) {
        return new PalyraException(ErrorCode.CORRUPT, message, cause);
    }
}
