package palyra.sandbox.internal.output;

import java.util.Arrays;

/**
 * The text of one stream: its beginning, its end, and how much there is in between. Holds at most
 * {@code room} bytes and one line, whatever is written. Not thread-safe.
 */
final class OutputWindow {
    private final TerminalText terminal = new TerminalText(this::take);
    private final byte[] head;
    private final byte[] tail;
    private int headSize;
    private long bytes;
    private long lines;

    OutputWindow(int room) {
        head = new byte[room / 2];
        tail = new byte[room - room / 2];
    }

    void add(byte[] source, int from, int to) {
        terminal.add(source, from, to);
    }

    /** Nothing more comes. */
    void end() {
        terminal.end();
    }

    /** Returns how many bytes at the end are the beginning of a character. */
    int incomplete() {
        return terminal.incomplete();
    }

    /** Returns the text so far. */
    OutputText text() {
        byte[] open = terminal.open();
        byte[] first = Arrays.copyOf(head, headSize);
        int kept = (int) Math.min(tail.length, bytes - headSize);
        byte[] last = new byte[kept];
        for (int i = 0; i < kept; i++) {
            last[i] = tail[(int) ((bytes - headSize - kept + i) % tail.length)];
        }
        return new OutputText(
                first,
                OutputText.joined(last, open),
                bytes + open.length,
                lines,
                terminal.binary());
    }

    private void take(byte[] utf8, int count) {
        int at = Math.min(head.length - headSize, count);
        if (bytes > headSize) {
            at = 0; // the end has begun
        }
        System.arraycopy(utf8, 0, head, headSize, at);
        headSize += at;
        long end = bytes + at - headSize;
        for (int i = Math.max(at, count - tail.length); i < count; i++) {
            tail[(int) ((end + i - at) % tail.length)] = utf8[i];
        }
        bytes += count;
        for (int i = 0; i < count; i++) {
            lines += utf8[i] == '\n' ? 1 : 0;
        }
    }
}
