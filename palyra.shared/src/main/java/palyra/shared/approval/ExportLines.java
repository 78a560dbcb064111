package palyra.shared.approval;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Extracts the lines of an export from its surrounding form. Used by one thread.
 *
 * <p>One object a line needs nothing around. The one document is <code>{"header":H,"records":[
 * </code>, then a line for each question, with a comma after each but the last, then <code>
 * ],"trailer":T}</code>.
 */
final class ExportLines {
    private static final int MOST_BYTES = 64 << 20;
    private static final byte[] HEAD = bytes("{\"header\":");
    private static final byte[] HEAD_END = bytes(",\"records\":[");
    private static final byte[] TAIL = bytes("],\"trailer\":");
    private static final byte[] TAIL_END = bytes("}");
    private static final byte[] COMMA = bytes(",");
    private static final byte[] KIND = bytes("\"kind\":\"trailer\"");

    private final InputStream in;
    private boolean document;
    private boolean comma = true;
    private int number;
    private String fault = "";

    ExportLines(InputStream in) {
        this.in = new BufferedInputStream(in, 64 * 1024);
    }

    /**
     * One line.
     *
     * @param number from 1
     * @param schema name of the form that the file has by its outer look
     * @param json the object in it, as bytes
     * @param last whether it is in the place of the end
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they were read
    record Line(int number, String schema, byte[] json, boolean last) {}

    /** Returns why there is no further line; empty when the file just ended. */
    String fault() {
        return fault;
    }

    /** Returns the next line; null at the end and at a fault. */
    Line next() throws IOException {
        byte[] line = fault.isEmpty() ? read() : null;
        if (line == null) {
            return null;
        }
        number++;
        if (number == 1) {
            document = starts(line, HEAD);
        }
        return document ? inDocument(line) : alone(line);
    }

    private Line alone(byte[] line) {
        return new Line(number, ExportForm.NDJSON, line, isTrailer(line));
    }

    /** A canonical object has its members in order, so these distinguish an end from a question. */
    private static boolean isTrailer(byte[] line) {
        String start = new String(line, 0, Math.min(line.length, 400), StandardCharsets.ISO_8859_1);
        int kind = start.indexOf(new String(KIND, StandardCharsets.US_ASCII));
        int record = start.indexOf("\"record\":");
        return kind >= 0 && (record < 0 || kind < record);
    }

    private Line inDocument(byte[] line) {
        byte[] json;
        boolean last = number > 1 && starts(line, TAIL);
        if (number == 1) {
            json = within(line, HEAD, HEAD_END);
        } else if (last) {
            json = within(line, TAIL, TAIL_END);
        } else {
            boolean first = number == 2;
            if (!first && !comma) {
                return fault("a comma is missing before it");
            }
            comma = ends(line, COMMA);
            json = comma ? within(line, new byte[0], COMMA) : line;
        }
        if (last && number > 2 && comma) {
            return fault("there is a comma before the end");
        }
        return json == null
                ? fault("it has not the form of an export")
                : new Line(number, ExportForm.JSON, json, last);
    }

    private Line fault(String what) {
        fault = "Line " + number + ": " + what + ".";
        return null;
    }

    private static byte[] within(byte[] line, byte[] before, byte[] after) {
        return starts(line, before)
                        && ends(line, after)
                        && line.length >= before.length + after.length
                ? Arrays.copyOfRange(line, before.length, line.length - after.length)
                : null;
    }

    private static boolean starts(byte[] line, byte[] with) {
        return line.length >= with.length
                && Arrays.equals(line, 0, with.length, with, 0, with.length);
    }

    private static boolean ends(byte[] line, byte[] with) {
        int from = line.length - with.length;
        return from >= 0 && Arrays.equals(line, from, line.length, with, 0, with.length);
    }

    private byte[] read() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return line.toByteArray();
            }
            if (line.size() == MOST_BYTES) {
                fault = "Line " + (number + 1) + ": it is too long.";
                return null;
            }
            line.write(b);
        }
        if (line.size() > 0) {
            fault = "Line " + (number + 1) + ": it does not end; the file was cut off.";
        }
        return null;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
