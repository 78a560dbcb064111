package palyra.sandbox.internal.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text of one stream as far as it is kept, in UTF-8. Immutable; see {@link OutputWindow}.
 *
 * @param head the beginning; all that there is when {@code tail} follows it at once
 * @param tail the end
 * @param bytes how much there is, with what is between the two
 * @param lines how many lines end in it
 * @param binary whether it looks like something other than text
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never given out
public record OutputText(byte[] head, byte[] tail, long bytes, long lines, boolean binary) {
    /** No text. */
    public static final OutputText NONE = new OutputText(new byte[0], new byte[0], 0, 0, false);

    /** How much of a bound may stay unused so that the cut is between two lines. */
    private static final int LINE_SHARE = 4;

    /**
     * Returns the text, or its beginning and its end with a line between them that says how much is
     * left out.
     *
     * @param room most bytes of text, that line not counted
     * @param rest where all of it is, for that line
     */
    public String shown(int room, String rest) {
        byte[] first = isWhole() ? joined(head, tail) : head;
        byte[] last = isWhole() ? first : tail;
        if (bytes <= room && isWhole()) {
            return text(first, 0, first.length);
        }
        int to = headEnd(first, Math.min(room / 2, first.length));
        int from = tailStart(last, Math.max(0, last.length - (room - room / 2)));
        String before = text(first, 0, to);
        return before
                + (before.isEmpty() || before.endsWith("\n") ? "" : "\n")
                + "[… "
                + (bytes - to - (last.length - from))
                + " bytes, "
                + (lines - lines(first, 0, to) - lines(last, from, last.length))
                + " lines left out; "
                + rest
                + " …]\n"
                + text(last, from, last.length);
    }

    /** Returns the last lines, as many as have room; all when there are no more. */
    public String end(int room) {
        byte[] last = isWhole() ? joined(head, tail) : tail;
        int least = Math.max(0, last.length - room);
        int from = least == 0 && isWhole() ? 0 : tailStart(last, least);
        return text(last, from, last.length);
    }

    private boolean isWhole() {
        return bytes == head.length + tail.length;
    }

    private static int headEnd(byte[] bytes, int most) {
        for (int at = most; at > most - most / LINE_SHARE; at--) {
            if (bytes[at - 1] == '\n') {
                return at;
            }
        }
        return lastWhole(bytes, most);
    }

    /** Returns the end of the last character that is complete there. */
    private static int lastWhole(byte[] bytes, int end) {
        int lead = end - 1;
        while (lead > 0 && isInside(bytes[lead])) {
            lead--;
        }
        if (lead < 0 || bytes[lead] >= 0) {
            return end;
        }
        int first = bytes[lead] & 0xFF;
        int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        return end - lead == length ? end : lead;
    }

    private static int tailStart(byte[] bytes, int least) {
        int limit = least + (bytes.length - least) / LINE_SHARE;
        for (int at = Math.max(1, least); at < limit; at++) {
            if (bytes[at - 1] == '\n') {
                return at;
            }
        }
        int at = least;
        while (at < bytes.length && isInside(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Whether a byte goes on with a character that another one begins. */
    private static boolean isInside(byte value) {
        return (value & 0xC0) == 0x80;
    }

    private static long lines(byte[] bytes, int from, int to) {
        long lines = 0;
        for (int i = from; i < to; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    static byte[] joined(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
