package palyra.channels.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.MessageOrigin;
import palyra.shared.hash.Digests;

/** Names of files as models read them, and as they may be written. Pure. */
public final class FileTexts {
    private static final int ID_CHARACTERS = 8;
    private static final int MOST_NAME_BYTES = 100;
    private static final int MOST_ENDING = 12;

    private FileTexts() {}

    /**
     * Returns by what a model names a file of a message: the same for good, and within a session no
     * other file's.
     *
     * @param dedupeKey that of the message as it was submitted
     * @param index of the file among those of the message that can be fetched, from 0
     */
    static String id(String surface, String dedupeKey, int index) {
        String digest =
                Digests.sha256Hex((surface + "\0" + dedupeKey).getBytes(StandardCharsets.UTF_8));
        return digest.substring(0, ID_CHARACTERS) + "-" + (index + 1);
    }

    /**
     * Returns one line for each file of a message, with the id where it can be fetched.
     *
     * @param dedupeKey that of the message as it is submitted; empty when no file can be fetched
     */
    public static String lines(ConnectorId surface, String dedupeKey, List<Attachment> files) {
        List<Attachment> fetchable =
                dedupeKey.isEmpty() ? List.of() : MessageOrigin.fetchable(files);
        return files.stream()
                .map(
                        file -> {
                            int index = fetchable.indexOf(file);
                            String id = index < 0 ? "" : id(surface.toString(), dedupeKey, index);
                            return line(file, id);
                        })
                .collect(Collectors.joining("\n"));
    }

    private static String line(Attachment file, String id) {
        String type = file.mediaType().isEmpty() ? "" : ", " + shown(file.mediaType());
        String size = file.bytes() < 0 ? "" : ", " + size(file.bytes());
        return "[attached: "
                + shown(file.name())
                + type
                + (id.isEmpty() ? "" : size + "; fetch with id " + id)
                + "]";
    }

    /** Returns a text of the platform that cannot end the line, or the bracket, around it. */
    static String shown(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029\\[\\]]", "_");
    }

    static String size(long bytes) {
        if (bytes < 1_024) {
            return bytes + " bytes";
        }
        return bytes < 1 << 20
                ? (bytes + 512) / 1_024 + " KB"
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1_048_576.0);
    }

    /**
     * Returns a name that is one name on every system: no folder, no dot at its start, nothing that
     * cannot be seen, at most 100 bytes of UTF-8.
     */
    static String safe(String name) {
        String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        String clean =
                last.replaceAll("[\\p{C}\\u2028\\u2029<>:\"|?*]", "_")
                        .replaceAll("^[\\s.]+|[\\s.]+$", "");
        String fitting = shortened(clean);
        return fitting.isEmpty() ? "file" : fitting;
    }

    /** Keeps the ending, which says what it is. */
    private static String shortened(String name) {
        int dot = name.lastIndexOf('.');
        String ending = dot > 0 && name.length() - dot <= MOST_ENDING ? name.substring(dot) : "";
        String stem = name.substring(0, name.length() - ending.length());
        while (bytes(stem) + bytes(ending) > MOST_NAME_BYTES) {
            stem = stem.substring(0, stem.offsetByCodePoints(stem.length(), -1));
        }
        return stem + ending;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
