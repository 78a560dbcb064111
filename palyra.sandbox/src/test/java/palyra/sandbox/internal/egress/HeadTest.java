package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadTest {
    static ConnectionInput source(String text) {
        return new ConnectionInput(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static Head head(String fields) throws IOException {
        return Head.read(source("GET / HTTP/1.1\r\n" + fields + "\r\n"));
    }

    @Test
    void aHeadIsReadAndWrittenAsItIs() throws IOException {
        String text =
                "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX-Odd: a\tb é\r\nEmpty: \r\n\r\n";
        Head head = Head.read(source(text));
        assertEquals("GET http://a.test/ HTTP/1.1", head.start());
        assertEquals("a\tb é", head.only("x-odd"));
        assertArrayEquals(text.getBytes(StandardCharsets.ISO_8859_1), head.bytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A: b\r\n c\r\n", // folded
                "A: b\r\n\tc\r\n",
                "A: b\n", // LF alone
                "A: b\rC: d\r\n", // CR alone
                "A: b\u0000\r\n",
                "A: b\u0001\r\n",
                "A: b\u007f\r\n",
                "A : b\r\n",
                " A: b\r\n",
                ": b\r\n",
                "A b\r\n",
                "A\u00e9: b\r\n",
                "A(: b\r\n",
            })
    void aHeadThatReadersSeeDifferentlyIsRefused(String fields) {
        assertThrows(MalformedException.class, () -> head(fields));
    }

    @Test
    void aHeadThatIsCutOrTooLargeIsRefused() {
        assertThrows(EOFException.class, () -> Head.read(source("GET / HTTP/1.1\r\nA: b\r\n")));
        assertThrows(EOFException.class, () -> Head.read(source("")));
        assertThrows(MalformedException.class, () -> head("A: " + "b".repeat(70_000) + "\r\n"));
        assertThrows(MalformedException.class, () -> head("A: b\r\n".repeat(201)));
        assertThrows(
                MalformedException.class,
                () -> head(("A: " + "b".repeat(1_000) + "\r\n").repeat(70)));
    }

    @Test
    void fieldsOfOneHopDoNotTravel() throws IOException {
        Head head =
                head(
                        "Host: a\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 1\r\n"
                                + "Proxy-Authorization: s\r\nProxy-Connection: x\r\nTE: trailers\r\n"
                                + "Upgrade: h2c\r\nHTTP2-Settings: x\r\nContent-Length: 0\r\n"
                                + "Expect: 100-continue\r\nX-Stays: 1\r\n");
        assertEquals(List.of("X-Stays"), head.endToEnd().stream().map(Head.Field::name).toList());
    }

    private static Framing framing(String fields) throws IOException {
        return Framing.ofRequest(head(fields), false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n",
                "Content-Length: 5, 5\r\n",
                "Content-Length: +5\r\n",
                "Content-Length: -5\r\n",
                "Content-Length: 0x5\r\n",
                "Content-Length: 5 5\r\n",
                "Content-Length: \r\n",
                "Content-Length: 9999999999999999999\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: gzip, chunked\r\n",
                "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding: identity\r\n",
                "Transfer-Encoding: \u000bchunked\r\n",
            })
    void aBodyOfDoubtfulLengthIsRefused(String fields) {
        assertThrows(MalformedException.class, () -> framing(fields));
    }

    @Test
    void oldClientsSendNoChunks() {
        assertThrows(
                MalformedException.class,
                () -> Framing.ofRequest(head("Transfer-Encoding: chunked\r\n"), true));
    }

    @Test
    void bodiesEndWhereTheirFramingSays() throws IOException {
        assertInstanceOf(Framing.None.class, framing("A: b\r\n"));
        ConnectionInput in = source("helloREST");
        assertEquals("hello", text(framing("Content-Length: 5\r\n").body(in).readAllBytes()));
        assertEquals("REST", text(in.readAllBytes()));
        ConnectionInput chunks = source("5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: t\r\n\r\nREST");
        assertEquals(
                "hello!",
                text(framing("Transfer-Encoding: chunked\r\n").body(chunks).readAllBytes()));
        assertEquals("REST", text(chunks.readAllBytes()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\r\nhelloX\r\n0\r\n\r\n",
                "5\nhello\n0\n\n",
                "g\r\nhello\r\n0\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "+5\r\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "fffffffffffff\r\nhello\r\n0\r\n\r\n",
                "\r\n",
                "5\r\nhel",
                "5\r\nhello\r\n",
                "",
            })
    void brokenChunksAreRefused(String chunks) {
        assertThrows(IOException.class, () -> new ChunkedBody(source(chunks)).readAllBytes());
    }

    @Test
    void aLengthThatIsNotReachedIsAnError() {
        assertThrows(
                EOFException.class, () -> new FixedLengthBody(source("abc"), 4).readAllBytes());
    }

    @Test
    void chunksAreWrittenAnew() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Framing chunked = new Framing.Chunked();
        chunked.write(out, "0123456789abcdefX".getBytes(StandardCharsets.US_ASCII), 16);
        chunked.end(out);
        assertEquals("10\r\n0123456789abcdef\r\n0\r\n\r\n", text(out.toByteArray()));
    }

    @Test
    void answersWithoutABodyHaveNone() throws IOException {
        Head head = Head.read(source("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"));
        assertInstanceOf(Framing.None.class, Framing.ofResponse(head, "HEAD", 200));
        assertInstanceOf(Framing.None.class, Framing.ofResponse(head, "GET", 304));
        assertInstanceOf(Framing.Length.class, Framing.ofResponse(head, "GET", 200));
        Head bare = Head.read(source("HTTP/1.1 200 OK\r\n\r\n"));
        assertInstanceOf(Framing.UntilClose.class, Framing.ofResponse(bare, "GET", 200));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
