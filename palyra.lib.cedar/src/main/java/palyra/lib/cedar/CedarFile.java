package palyra.lib.cedar;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A named text: policies, a schema or entities. The bytes need not be valid UTF-8; the engine says
 * where they are not.
 */
public final class CedarFile {
    private static final int NAME_LIMIT = 1_024;

    private final String name;
    private final byte[] bytes;

    private CedarFile(String name, byte[] bytes) {
        if (name.isBlank()
                || name.length() > NAME_LIMIT
                || name.codePoints().anyMatch(CedarFile::unprintable)) {
            throw new IllegalArgumentException(
                    "A file name was asked for that is empty, longer than "
                            + NAME_LIMIT
                            + " characters or holds control characters.");
        }
        this.name = name;
        this.bytes = bytes;
    }

    private static boolean unprintable(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL || type == Character.SURROGATE;
    }

    /** Returns a file of these bytes, which are copied. */
    public static CedarFile of(String name, byte[] utf8) {
        return new CedarFile(Objects.requireNonNull(name, "name"), utf8.clone());
    }

    /** Returns a file of this text; a surrogate without its partner makes it malformed. */
    public static CedarFile of(String name, String text) {
        return new CedarFile(Objects.requireNonNull(name, "name"), encode(text));
    }

    private static byte[] encode(String text) {
        int lone = loneSurrogate(text);
        if (lone < 0) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        byte[] before = text.substring(0, lone).getBytes(StandardCharsets.UTF_8);
        byte[] bytes = Arrays.copyOf(before, before.length + 1);
        bytes[before.length] = (byte) 0xFF;
        return bytes;
    }

    private static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the name, as in diagnostics and policy ids. */
    public String name() {
        return name;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns how many bytes there are. */
    public int size() {
        return bytes.length;
    }

    @Override
    public String toString() {
        return name + " (" + bytes.length + " bytes)";
    }
}
