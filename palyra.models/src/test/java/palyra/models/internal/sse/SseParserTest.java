package palyra.models.internal.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples and rules of WHATWG HTML, section 9.2, and what a network does to a stream. */
class SseParserTest {
    private static List<SseEvent> parse(byte[] bytes, int piece) throws SseLimitException {
        SseParser parser = new SseParser(1_000, 1_000);
        List<SseEvent> events = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += piece) {
            events.addAll(parser.feed(bytes, at, Math.min(piece, bytes.length - at)));
        }
        return events;
    }

    private static List<String> data(String stream) throws SseLimitException {
        byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
        List<SseEvent> whole = parse(bytes, bytes.length);
        for (int piece = 1; piece < 8; piece++) {
            assertEquals(whole, parse(bytes, piece), "in pieces of " + piece);
        }
        return whole.stream().map(event -> event.name() + "|" + event.data()).toList();
    }

    @Test
    void joinsTheLinesOfAnEvent() throws Exception {
        assertEquals(List.of("message|YHOO\n+2\n10"), data("data: YHOO\ndata: +2\ndata: 10\n\n"));
    }

    @Test
    void takesEachFormOfLineEnd() throws Exception {
        List<String> expected = List.of("message|a", "message|b");
        assertEquals(expected, data("data: a\n\ndata: b\n\n"));
        assertEquals(expected, data("data: a\r\n\r\ndata: b\r\n\r\n"));
        assertEquals(expected, data("data: a\r\rdata: b\r\r"));
        assertEquals(expected, data("data: a\r\n\ndata: b\n\r\n"));
    }

    @Test
    void passesOverCommentsAndUnknownFields() throws Exception {
        assertEquals(
                List.of("message|x"),
                data(": ping\n\n:\nid: 7\nretry: 10\nfoo: bar\nfoo\ndata: x\n\n: end\n"));
    }

    @Test
    void takesOneSpaceAndNoMore() throws Exception {
        assertEquals(List.of("message| a", "message|a"), data("data:  a\n\ndata:a\n\n"));
    }

    @Test
    void tellsAnEmptyDataFieldFromNone() throws Exception {
        assertEquals(List.of("message|", "message|\n"), data("data\n\ndata\ndata\n\nevent: x\n\n"));
    }

    @Test
    void namesAnEventOnce() throws Exception {
        assertEquals(List.of("error|a", "message|b"), data("event: error\ndata: a\n\ndata: b\n\n"));
    }

    @Test
    void dropsAnEventThatTheEndLeavesOpen() throws Exception {
        assertEquals(List.of("message|a"), data("data: a\n\ndata: b\n"));
    }

    @Test
    void dropsAMarkAtTheBeginningAlone() throws Exception {
        assertEquals(
                List.of("message|a", "message|\uFEFFb"),
                data("\uFEFFdata: a\n\ndata: \uFEFFb\n\n"));
    }

    @Test
    void cutsNoCharacter() throws Exception {
        assertEquals(List.of("message|Grüße 🙂 日本"), data("data: Grüße 🙂 日本\n\n"));
    }

    @Test
    void replacesWhatIsNoUtf8() throws Exception {
        byte[] bytes = "data: a?b\n\n".getBytes(StandardCharsets.UTF_8);
        bytes[7] = (byte) 0xC3;
        assertEquals("a\uFFFDb", parse(bytes, 1).get(0).data());
    }

    @Test
    void refusesALineOrAnEventThatIsTooLong() {
        String line = "data: " + "x".repeat(995);
        assertThrows(SseLimitException.class, () -> data(line));
        String event = ("data: " + "x".repeat(300) + "\n").repeat(4);
        assertThrows(SseLimitException.class, () -> data(event));
    }
}
