package palyra.sandbox.internal.files;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Names of files, which are bytes, as texts: what is valid UTF-8 is that text, and every other byte
 * is a lone surrogate from U+DC80 on, so that no two names have the same text and every text leads
 * back to its name. Where a name is shown, what cannot be read is escaped as in C ({@code \n},
 * {@code \xFF}, a backslash as two). Stateless; independent of the locale.
 */
final class FileName {
    private static final int ESCAPE = 0xDC00;
    private static final String NAMED = "\\nrt";
    private static final String MEANT = "\\\n\r\t";

    private FileName() {}

    /** Returns the text of a name that the system gave. */
    static String of(Path name) {
        String text = name.toString();
        if (isAscii(text)) {
            return text;
        }
        String raw = Path.of("/").resolve(name).toUri().getRawPath().substring(1);
        return text(unquoted(raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw));
    }

    /** Returns the name for a text; a slash would be followed, so only a single name is taken. */
    static Path path(String text) throws IOException {
        try {
            Path path =
                    isAscii(text)
                            ? Path.of(text)
                            : Path.of(URI.create("file:///" + quoted(bytes(text)))).getFileName();
            if (!text.isEmpty()
                    && path.getNameCount() == 1
                    && !path.isAbsolute()
                    && !text.contains("/")) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new IOException("the name '" + shown(text) + "' cannot be written here", e);
        }
        throw new IOException("'" + shown(text) + "' is not a single name");
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c > 0 && c < 0x80);
    }

    /** Returns whether a text has bytes that are no UTF-8. */
    static boolean hasOddBytes(String text) {
        return text.codePoints().anyMatch(FileName::isOddByte);
    }

    private static boolean isOddByte(int codePoint) {
        return codePoint >= ESCAPE + 0x80 && codePoint <= ESCAPE + 0xFF;
    }

    static byte[] bytes(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(3 * text.length());
        text.codePoints()
                .forEach(
                        c -> {
                            if (isOddByte(c)) {
                                bytes.put((byte) c);
                            } else {
                                bytes.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                            }
                        });
        byte[] all = new byte[bytes.position()];
        bytes.get(0, all);
        return all;
    }

    static String text(byte[] name) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(name);
        CharBuffer text = CharBuffer.allocate(name.length);
        while (true) {
            CoderResult result = decoder.decode(bytes, text, true);
            if (result.isUnderflow()) {
                return text.flip().toString();
            }
            for (int i = 0; i < result.length(); i++) {
                text.put((char) (ESCAPE | bytes.get() & 0xFF));
            }
        }
    }

    private static String quoted(byte[] bytes) {
        StringBuilder quoted = new StringBuilder();
        for (byte b : bytes) {
            quoted.append('%').append(HexFormat.of().toHexDigits(b));
        }
        return quoted.toString();
    }

    private static byte[] unquoted(String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '%') {
                bytes.put((byte) HexFormat.fromHexDigits(raw, i + 1, i + 3));
                i += 2;
            } else {
                bytes.put((byte) raw.charAt(i));
            }
        }
        byte[] all = new byte[bytes.position()];
        bytes.get(0, all);
        return all;
    }

    /** Returns a text as it is shown; {@link #read} takes it back. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints()
                .forEach(
                        c -> {
                            int named = MEANT.indexOf(c);
                            if (named >= 0) {
                                shown.append('\\').append(NAMED.charAt(named));
                            } else if (isOddByte(c) || c < 0x20 || c == 0x7F) {
                                shown.append(String.format("\\x%02X", c & 0xFF));
                            } else if (isHidden(c)) {
                                shown.append(String.format("\\u%04X", c));
                            } else {
                                shown.appendCodePoint(c);
                            }
                        });
        return shown.toString();
    }

    /** Whether a character has no look of its own, or changes that of others. */
    private static boolean isHidden(int c) {
        int type = Character.getType(c);
        return c <= 0xFFFF
                && (type == Character.CONTROL
                        || type == Character.FORMAT
                        || type == Character.LINE_SEPARATOR
                        || type == Character.PARAGRAPH_SEPARATOR
                        || type == Character.SURROGATE);
    }

    /** Returns the text that is shown like this; a backslash that escapes nothing is itself. */
    static String read(String shown) {
        StringBuilder text = new StringBuilder(shown.length());
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            char next = i + 1 < shown.length() ? shown.charAt(i + 1) : 0;
            int named = c == '\\' ? NAMED.indexOf(next) : -1;
            Optional<Integer> code =
                    c != '\\'
                            ? Optional.empty()
                            : next == 'x' ? hex(shown, i, 2) : hex(shown, i, 4);
            if (named >= 0) {
                text.append(MEANT.charAt(named));
                i++;
            } else if (code.isPresent() && (next == 'x' || next == 'u')) {
                boolean odd = next == 'x' && code.get() >= 0x80;
                text.append((char) (odd ? ESCAPE | code.get() : code.get()));
                i += next == 'x' ? 3 : 5;
            } else {
                text.append(c);
            }
        }
        return text(bytes(text.toString())); // bytes that are UTF-8 together have one text
    }

    private static Optional<Integer> hex(String text, int at, int digits) {
        int from = at + 2;
        return from + digits <= text.length()
                        && text.substring(from, from + digits).matches("[0-9A-Fa-f]+")
                ? Optional.of(HexFormat.fromHexDigits(text, from, from + digits))
                : Optional.empty();
    }
}
