package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.host.SkillStorage.Kept;
import palyra.skills.internal.host.SkillStorage.StoredLedger;

/**
 * The files of one skill's storage: one for each key, named by the key's digest. A file is one line
 * of canonical JSON ({@code key}, {@code sha256} of the value, {@code version}), a line feed, and
 * the value. A change writes a new file beside, syncs it, renames it over the old one and syncs the
 * folder; a crash leaves the old file or the new one, and perhaps a leftover that the next start
 * deletes. Not thread-safe: its owner has a lock.
 */
final class StorageFolder {
    private static final String NEW = ".new";
    private static final int MOST_HEAD = 1_024;

    private final Path folder;
    private final DurableFiles files;

    StorageFolder(Path folder, DurableFiles files) {
        this.folder = folder;
        this.files = files;
    }

    /** Returns the stored values, and deletes leftovers. */
    StorageIndex load() throws IOException {
        StorageIndex index = new StorageIndex();
        if (!Files.isDirectory(folder)) {
            return index;
        }
        List<Path> all;
        try (Stream<Path> entries = Files.list(folder)) {
            all = entries.toList();
        }
        for (Path each : all) {
            if (each.toString().endsWith(NEW)) {
                files.delete(each);
            } else {
                index.found(kept(each));
            }
        }
        return index;
    }

    private static Kept kept(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] head = in.readNBytes(MOST_HEAD);
            int end = endOfHead(file, head);
            JsonNode json = json(file, head, end);
            return new Kept(
                    json.path("key").asText(),
                    Files.size(file) - end - 1,
                    json.path("version").asLong());
        }
    }

    private static int endOfHead(Path file, byte[] bytes) throws IOException {
        for (int i = 0; i < Math.min(bytes.length, MOST_HEAD); i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        throw corrupt(file);
    }

    private static JsonNode json(Path file, byte[] bytes, int end) throws IOException {
        try {
            JsonNode json = StrictJson.parse(Arrays.copyOf(bytes, end), "a head");
            if (name(json.path("key").asText()).equals(file.getFileName().toString())) {
                return json;
            }
        } catch (PalyraException e) {
            throw new IOException("The file " + file.getFileName() + " is damaged", e);
        }
        throw corrupt(file);
    }

    private static IOException corrupt(Path file) {
        return new IOException("The file " + file.getFileName() + " is damaged");
    }

    /** Returns a value; null when the key has no value. */
    StoredLedger read(String key) throws IOException {
        Path file = folder.resolve(name(key));
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        }
        int end = endOfHead(file, bytes);
        JsonNode json = json(file, bytes, end);
        byte[] value = Arrays.copyOfRange(bytes, end + 1, bytes.length);
        if (!Digests.sha256Hex(value).equals(json.path("sha256").asText())) {
            throw corrupt(file);
        }
        return new StoredLedger(value, json.path("version").asLong());
    }

    void write(String key, byte[] value, long version) throws IOException {
        files.makeFolder(folder);
        Path file = folder.resolve(name(key));
        Path fresh = folder.resolve(name(key) + NEW);
        files.delete(fresh);
        try {
            files.writeNew(fresh, content(key, value, version));
            files.rename(fresh, file);
        } catch (IOException e) {
            deleteQuietly(fresh);
            throw e;
        }
        files.sync(folder);
    }

    private void deleteQuietly(Path file) {
        try {
            files.delete(file);
        } catch (IOException e) {
            // the next start deletes it
        }
    }

    private static byte[] content(String key, byte[] value, long version) {
        byte[] head =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("key", key)
                                .put("sha256", Digests.sha256Hex(value))
                                .put("version", version));
        ByteArrayOutputStream out = new ByteArrayOutputStream(head.length + 1 + value.length);
        out.writeBytes(head);
        out.write('\n');
        out.writeBytes(value);
        return out.toByteArray();
    }

    void delete(String key) throws IOException {
        files.delete(folder.resolve(name(key)));
        files.sync(folder);
    }

    /** Deletes everything. */
    void deleteAll() throws IOException {
        if (Files.isDirectory(folder)) {
            files.delete(folder);
            files.sync(folder.getParent());
        }
    }

    private static String name(String key) {
        return Digests.sha256Hex(key.getBytes(StandardCharsets.UTF_8));
    }
}
