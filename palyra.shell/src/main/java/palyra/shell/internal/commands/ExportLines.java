package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

/**
 * Reads untrusted JSON lines: a line without the expected form is CORRUPT, named by its line. Keeps
 * the digest of everything before the line that was read last. Not thread-safe.
 */
final class ExportLines {
    private static final int MAX_LINE_BYTES = 64 << 20;

    private final InputStream in;
    private final MessageDigest digest;
    private byte[] last = new byte[0];
    private long number;

    ExportLines(InputStream in) {
        this.in = new BufferedInputStream(in, 64 * 1024);
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the next line as an object; {@code absent} is the message when the input has ended.
     */
    JsonNode next(String absent) throws IOException {
        return parse(line().orElseThrow(() -> bad(absent)));
    }

    /** Returns the first line as an object; an input without a byte is no export at all. */
    JsonNode first() throws IOException {
        return parse(
                line().orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.CORRUPT,
                                                "Nothing was read: the export is empty. With"
                                                        + " --file - send it on standard input, as"
                                                        + " in: palyra tape verify --file - <"
                                                        + " run.jsonl")));
    }

    /** Nothing may follow. */
    void end() throws IOException {
        check(line().isEmpty(), "something follows the last line");
    }

    /** Returns SHA-256 of every byte before the line that was read last, lower-case hex. */
    String digestBefore() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<byte[]> line() throws IOException {
        number++;
        digest.update(last);
        last = new byte[0];
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                byte[] text = line.toByteArray();
                line.write(b);
                last = line.toByteArray();
                return Optional.of(text);
            }
            check(line.size() < MAX_LINE_BYTES, "it is too long");
            line.write(b);
        }
        check(line.size() == 0, "it does not end: the file was cut off");
        return Optional.empty();
    }

    private JsonNode parse(byte[] line) {
        try {
            JsonNode node = StrictJson.parse(line, "the line");
            check(node.isObject(), "it is no JSON object");
            return node;
        } catch (PalyraException e) {
            throw e.code() == ErrorCode.CORRUPT ? e : bad(e.getMessage());
        }
    }

    String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        check(value.isTextual(), name + " is missing");
        return value.textValue();
    }

    byte[] hex(JsonNode node, String name) {
        String text = text(node, name);
        try {
            check(text.equals(text.toLowerCase(Locale.ROOT)), name + " is not lower-case");
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw bad(name + " is not hex");
        }
    }

    /** Returns the bytes of a member; null when it is null. */
    byte[] base64(JsonNode node, String name) {
        if (node.path(name).isNull()) {
            return null;
        }
        String text = text(node, name);
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            // Bits that no byte needs could be changed unseen.
            check(Base64.getEncoder().encodeToString(bytes).equals(text), name + " is not exact");
            return bytes;
        } catch (IllegalArgumentException e) {
            throw bad(name + " is not base64");
        }
    }

    void check(boolean holds, String otherwise) {
        if (!holds) {
            throw bad(otherwise);
        }
    }

    PalyraException bad(String what) {
        return new PalyraException(
                ErrorCode.CORRUPT, "The export is damaged in line " + number + ": " + what + ".");
    }
}
