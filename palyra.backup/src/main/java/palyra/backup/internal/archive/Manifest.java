package palyra.backup.internal.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

/**
 * What a backup holds, as its last entry. Payload files of the journal are named by the digest of
 * their content, so they are counted only.
 *
 * @param palyra version of the gateway that wrote it
 * @param createdAtMillis unix time in milliseconds
 * @param payloadFiles how many payload files of the journal
 * @param records records on all tapes
 * @param files SHA-256 of each other file by its path below the state folder, with slashes
 */
public record Manifest(
        String palyra,
        long createdAtMillis,
        long payloadFiles,
        long records,
        Map<String, String> files) {
    /** Name of the entry, and of the file in a restored state folder that is not yet checked. */
    public static final String NAME = "restored.json";

    /** More are neither written nor read: some 100,000 files beside the payload files. */
    static final int MOST_BYTES = 16 << 20;

    private static final int FORMAT = 1;

    /** Copies. */
    public Manifest {
        files = Map.copyOf(files);
    }

    static PalyraException later(String format, String version) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The backup has the format "
                        + format
                        + "; this version of Palyra reads "
                        + FORMAT
                        + ". Restore it with the version that wrote it"
                        + (version.isEmpty() ? "." : ": " + version + "."));
    }

    /** Returns it as JSON text. */
    public byte[] json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", FORMAT);
        root.put("palyra", palyra);
        root.put("createdAtMillis", createdAtMillis);
        root.put("payloadFiles", payloadFiles);
        root.put("records", records);
        ObjectNode digests = root.putObject("files");
        new TreeMap<>(files).forEach(digests::put);
        return root.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads one.
     *
     * @throws PalyraException CORRUPT for what is no manifest; INVALID_ARGUMENT for one of a later
     *     version
     */
    public static Manifest of(byte[] json) {
        JsonNode root;
        try {
            root = StrictJson.parse(json, "the manifest of the backup");
        } catch (PalyraException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The backup is damaged: " + e.getMessage() + ". Use another copy of it.",
                    e);
        }
        if (!root.path("format").isInt()) {
            throw new PalyraException(
                    ErrorCode.CORRUPT, "The backup is damaged: its manifest has no format.");
        }
        if (root.path("format").asInt() != FORMAT) {
            throw later(root.path("format").asText(), root.path("palyra").asText("unknown"));
        }
        Map<String, String> files = new TreeMap<>();
        root.path("files")
                .fields()
                .forEachRemaining(e -> files.put(e.getKey(), e.getValue().asText()));
        return new Manifest(
                root.path("palyra").asText(),
                root.path("createdAtMillis").asLong(),
                root.path("payloadFiles").asLong(),
                root.path("records").asLong(),
                files);
    }
}
