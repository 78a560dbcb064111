package palyra.models.internal.sse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a stream of server-sent events (WHATWG HTML, section 9.2.6 "Interpreting an event stream").
 * The bytes may be cut anywhere, also within a UTF-8 sequence or between CR and LF: whole lines
 * alone are decoded, and no byte of a longer sequence looks like the end of a line. What is no
 * UTF-8 becomes U+FFFD, as the specification has it. Not thread-safe.
 */
public final class SseParser {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final int LARGE_LINE = 64 * 1_024;

    private final int maxLineBytes;
    private final int maxEventChars;
    private ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private final StringBuilder data = new StringBuilder();
    private String name = "";
    private boolean hasData;
    private boolean afterReturn;
    private boolean first = true;

    /**
     * Creates a parser.
     *
     * @param maxLineBytes longest line in bytes, its end not counted
     * @param maxEventChars longest data of an event in characters
     */
    public SseParser(int maxLineBytes, int maxEventChars) {
        this.maxLineBytes = maxLineBytes;
        this.maxEventChars = maxEventChars;
    }

    /**
     * Takes further bytes and returns the events that they complete, mostly none or one. An event
     * that the end of the stream cuts off is dropped.
     *
     * @throws SseLimitException when a line or an event is too large; the parser is of no use then
     */
    public List<SseEvent> feed(byte[] bytes, int offset, int length) throws SseLimitException {
        List<SseEvent> events = new ArrayList<>(1);
        int from = offset;
        for (int at = offset; at < offset + length; at++) {
            byte b = bytes[at];
            if (b != '\n' && b != '\r') {
                afterReturn = false;
                continue;
            }
            boolean secondHalf = b == '\n' && afterReturn;
            afterReturn = b == '\r';
            if (!secondHalf) {
                keep(bytes, from, at - from);
                endLine(events);
            }
            from = at + 1;
        }
        keep(bytes, from, offset + length - from);
        return events;
    }

    /** Returns how many bytes and characters of an event are held that is not complete. */
    public long held() {
        return (long) line.size() + data.length() + name.length();
    }

    private void keep(byte[] bytes, int offset, int length) throws SseLimitException {
        if (line.size() + length > maxLineBytes) {
            throw new SseLimitException(
                    "A line of the stream is longer than " + maxLineBytes + " bytes.");
        }
        line.write(bytes, offset, length);
    }

    private void endLine(List<SseEvent> events) throws SseLimitException {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.length() > LARGE_LINE) {
            line = new ByteArrayOutputStream(256); // what a large line took is let go
        }
        if (first) {
            first = false;
            text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        }
        if (text.isEmpty()) {
            dispatch(events);
        } else if (text.charAt(0) != ':') {
            field(text);
        }
    }

    private void dispatch(List<SseEvent> events) {
        if (hasData) {
            events.add(new SseEvent(name.isEmpty() ? SseEvent.MESSAGE : name, data.toString()));
        }
        if (data.length() > LARGE_LINE) {
            data.setLength(0);
            data.trimToSize();
        }
        data.setLength(0);
        hasData = false;
        name = "";
    }

    /** Identifiers and reconnection times mean nothing to an answer that is never resumed. */
    private void field(String text) throws SseLimitException {
        int colon = text.indexOf(':');
        String field = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + 1);
        value = value.startsWith(" ") ? value.substring(1) : value;
        if (field.equals("event")) {
            name = value;
        } else if (field.equals("data")) {
            addData(value);
        }
    }

    private void addData(String value) throws SseLimitException {
        if (data.length() + value.length() + 1 > maxEventChars) {
            throw new SseLimitException(
                    "An event of the stream is longer than " + maxEventChars + " characters.");
        }
        if (hasData) {
            data.append('\n');
        }
        data.append(value);
        hasData = true;
    }
}
