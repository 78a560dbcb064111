package palyra.sandbox.internal.process;

import java.nio.charset.StandardCharsets;

/**
 * Output of a command as text for a model: UTF-8, invalid bytes replaced by U+FFFD, no longer than
 * a JSON document has room for. Pure functions.
 */
final class OutputText {
    private static final int ESCAPED = 6;
    private static final int REPLACEMENT = 3;

    private OutputText() {}

    /**
     * A piece of output.
     *
     * @param text the text
     * @param consumed how many bytes of the output it represents
     * @param cost most bytes that it takes in a JSON document
     */
    record Piece(String text, int consumed, int cost) {}

    /**
     * Returns as much of the beginning of {@code bytes} as fits.
     *
     * @param room bytes that the text may take in a JSON document, UTF-8 and escaped
     * @param more whether further bytes may follow: a character that is not complete yet is then
     *     left for later
     */
    static Piece head(byte[] bytes, int room, boolean more) {
        int at = 0;
        int cost = 0;
        while (at < bytes.length) {
            int length = length(bytes, at);
            if (length == INCOMPLETE && more) {
                break;
            }
            int next = length > 0 ? cost(bytes[at], length) : REPLACEMENT;
            if (cost + next > room) {
                break;
            }
            cost += next;
            at += Math.max(1, length);
        }
        return new Piece(new String(bytes, 0, at, StandardCharsets.UTF_8), at, cost);
    }

    private static final int INVALID = 0;
    private static final int INCOMPLETE = -1;

    /** Returns the length of the UTF-8 sequence (RFC 3629) at {@code at}. */
    private static int length(byte[] bytes, int at) {
        int first = bytes[at] & 0xFF;
        if (first < 0x80) {
            return 1;
        }
        int wanted = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        for (int i = 1; i < wanted; i++) {
            if (at + i == bytes.length) {
                return INCOMPLETE;
            }
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return INVALID;
            }
        }
        return wanted > 2 && !inRange(first, bytes[at + 1] & 0xFF) ? INVALID : wanted;
    }

    /** The second byte shows overlong forms, surrogates and code points above U+10FFFF. */
    private static boolean inRange(int first, int second) {
        return switch (first) {
            case 0xE0 -> second >= 0xA0;
            case 0xED -> second < 0xA0;
            case 0xF0 -> second >= 0x90;
            case 0xF4 -> second < 0x90;
            default -> true;
        };
    }

    /** Returns what a character takes in JSON as RFC 8785 writes it. */
    private static int cost(byte first, int length) {
        if (length > 1) {
            return length;
        }
        return switch (first) {
            case '"', '\\', '\b', '\t', '\n', '\f', '\r' -> 2;
            default -> first < 0x20 ? ESCAPED : 1;
        };
    }
}
