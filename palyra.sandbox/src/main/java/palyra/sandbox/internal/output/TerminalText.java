package palyra.sandbox.internal.output;

import java.util.Arrays;

/**
 * Turns what a command wrote into the text that a terminal would show in the end: a carriage return
 * begins the line again, so of a progress bar its last state remains; a backspace takes a character
 * away; escape sequences and other control characters are left out; what is no UTF-8 becomes
 * U+FFFD. The result depends on the bytes alone and not on the pieces in which they come. It keeps
 * one line, and of a long one the last part, of which alone something can be taken back. Not
 * thread-safe.
 */
final class TerminalText {
    /** Most bytes of a line that can still be taken back. */
    static final int LINE = 8_192;

    /** Longest escape sequence; what goes on longer is text. */
    private static final int SEQUENCE = 4_096;

    /** How much of the beginning tells text from binary data. */
    private static final int SAMPLE = 8_192;

    /** Text has at most every tenth byte that is no text. */
    private static final int ODD_SHARE = 10;

    private static final int NUL_SIGN = 0x2400;
    private static final int REPLACEMENT = 0xFFFD;
    private static final int ESCAPE = 0x1B;
    private static final int BELL = 0x07;

    /** Takes text that no later byte changes. */
    interface Sink {
        /** Takes the first {@code count} bytes, whole characters in UTF-8. */
        void take(byte[] utf8, int count);
    }

    private enum Mode {
        TEXT,
        ESCAPED,
        CONTROL,
        STRING,
        STRING_ESCAPED
    }

    private final Sink sink;
    private final byte[] line = new byte[LINE + 4];
    private int size;
    private boolean returned;
    private Mode mode = Mode.TEXT;
    private int sequence;
    private int point;
    private int missing;
    private int lowest = 0x80;
    private int highest = 0xBF;
    private int pending;
    private int sampled;
    private int odd;

    TerminalText(Sink sink) {
        this.sink = sink;
    }

    /** Takes further bytes. */
    void add(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            decode(bytes[i] & 0xFF);
        }
    }

    /** Returns how many bytes at the end are the beginning of a character. */
    int incomplete() {
        return pending;
    }

    /** Returns the text since the last that the sink took. */
    byte[] open() {
        return Arrays.copyOf(line, size);
    }

    /** Takes a character that is not complete as one that is wrong: nothing more comes. */
    void end() {
        if (pending > 0) {
            wrong();
        }
    }

    /** Returns whether the beginning looks like something other than text. */
    boolean binary() {
        return odd * ODD_SHARE > sampled;
    }

    /** Decodes UTF-8 as RFC 3629 has it; the longest wrong beginning becomes one U+FFFD. */
    private void decode(int value) {
        if (sampled < SAMPLE) {
            sampled++;
        }
        if (missing == 0) {
            begin(value);
            return;
        }
        if (value < lowest || value > highest) {
            wrong();
            begin(value);
            return;
        }
        lowest = 0x80;
        highest = 0xBF;
        point = point << 6 | value & 0x3F;
        pending++;
        if (--missing == 0) {
            pending = 0;
            put(point);
        }
    }

    private void begin(int value) {
        if (value < 0x80) {
            put(value);
        } else if (value >= 0xC2 && value <= 0xF4) {
            missing = value < 0xE0 ? 1 : value < 0xF0 ? 2 : 3;
            point = value & (0x3F >> missing);
            lowest = value == 0xE0 ? 0xA0 : value == 0xF0 ? 0x90 : 0x80;
            highest = value == 0xED ? 0x9F : value == 0xF4 ? 0x8F : 0xBF;
            pending = 1;
        } else {
            wrong();
        }
    }

    private void wrong() {
        odd(Math.max(1, pending));
        missing = 0;
        pending = 0;
        lowest = 0x80;
        highest = 0xBF;
        put(REPLACEMENT);
    }

    private void odd(int count) {
        if (sampled < SAMPLE) {
            odd += count;
        }
    }

    private void put(int character) {
        switch (mode) {
            case TEXT -> text(character);
            case ESCAPED -> escaped(character);
            case CONTROL -> control(character);
            case STRING -> string(character);
            case STRING_ESCAPED -> {
                mode = Mode.TEXT; // ESC \ ends it; ESC and anything else begins another sequence
                if (character != '\\') {
                    mode = Mode.ESCAPED;
                    escaped(character);
                }
            }
        }
    }

    /** After ESC, see ECMA-48: a control sequence, a string, or one or a few characters. */
    private void escaped(int character) {
        if (character == '[') {
            mode = Mode.CONTROL;
            sequence = 0;
        } else if (character == ']'
                || character == 'P'
                || character == 'X'
                || character == '^'
                || character == '_') {
            mode = Mode.STRING;
            sequence = 0;
        } else if (character < 0x20 || character > 0x7E) {
            mode = Mode.TEXT;
            text(character);
        } else if (character > 0x2F) {
            mode = Mode.TEXT;
        } // what is between is followed by more
    }

    private void control(int character) {
        if (character >= 0x40 && character <= 0x7E) {
            mode = Mode.TEXT;
        } else if (character < 0x20 || character > 0x7E || ++sequence > SEQUENCE) {
            mode = Mode.TEXT;
            text(character);
        }
    }

    private void string(int character) {
        if (character == BELL) {
            mode = Mode.TEXT;
        } else if (character == ESCAPE) {
            mode = Mode.STRING_ESCAPED;
        } else if (character == '\n' || ++sequence > SEQUENCE) {
            mode = Mode.TEXT;
            text(character);
        }
    }

    private void text(int character) {
        switch (character) {
            case '\n' -> {
                append('\n');
                flush();
            }
            case '\r' -> returned = true;
            case '\b' -> takeBack();
            case ESCAPE -> mode = Mode.ESCAPED;
            case 0 -> {
                odd(1);
                append(NUL_SIGN);
            }
            case '\t' -> append('\t');
            default -> {
                if (character < 0x20 || character >= 0x7F && character < 0xA0) {
                    odd(character == BELL || character == '\f' ? 0 : 1);
                } else {
                    append(character);
                }
            }
        }
    }

    private void takeBack() {
        if (!returned && size > 0) {
            do {
                size--;
            } while (size > 0 && (line[size] & 0xC0) == 0x80);
        }
    }

    private void append(int character) {
        if (returned && character != '\n') {
            size = 0;
        }
        returned = false;
        if (character < 0x80) {
            line[size++] = (byte) character;
        } else {
            int length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            int lead = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0;
            line[size++] = (byte) (lead | character >> 6 * (length - 1));
            for (int i = length - 2; i >= 0; i--) {
                line[size++] = (byte) (0x80 | character >> 6 * i & 0x3F);
            }
        }
        if (size >= LINE) {
            flush();
        }
    }

    private void flush() {
        sink.take(line, size);
        size = 0;
        returned = false;
    }
}
