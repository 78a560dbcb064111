package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.testing.wait.Await;

/** What Discord sends as one stream for each connection, in whatever pieces it comes. */
class CompressionTest {
    private static final int MOST = 100_000;

    private final Stage stage = new Stage();
    private final Deflater deflater = new Deflater();

    @AfterEach
    void close() {
        deflater.end();
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private byte[] deflated(byte[] bytes, int flush) {
        deflater.setInput(bytes);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1_000];
        int length;
        do {
            length = deflater.deflate(buffer, 0, buffer.length, flush);
            out.write(buffer, 0, length);
        } while (length == buffer.length);
        return out.toByteArray();
    }

    private byte[] payload(String text) {
        return deflated(text.getBytes(StandardCharsets.UTF_8), Deflater.SYNC_FLUSH);
    }

    @Test
    void payloadsComeInOneMessageOrInMessagesOfOneByte() throws IOException {
        try (ZlibStream stream = new ZlibStream(MOST)) {
            for (String text : List.of("{\"a\":1}", "žluťoučký 🐎".repeat(900), "", "{}")) {
                assertEquals(Optional.of(text), stream.take(payload(text)));
                byte[] bytes = payload(text + "2");
                for (int at = 0; at < bytes.length - 1; at++) {
                    byte[] one = Arrays.copyOfRange(bytes, at, at + 1);
                    assertEquals(Optional.empty(), stream.take(one));
                }
                assertEquals(Optional.empty(), stream.take(new byte[0]));
                assertEquals(
                        Optional.of(text + "2"),
                        stream.take(Arrays.copyOfRange(bytes, bytes.length - 1, bytes.length)));
            }
        }
    }

    @Test
    void whatIsTooLargeEndsBeforeItIsInMemory() throws IOException {
        try (ZlibStream stream = new ZlibStream(MOST)) {
            assertTrue(stream.take(payload("x".repeat(MOST))).isPresent());
            byte[] bomb = deflated(new byte[200 << 20], Deflater.SYNC_FLUSH);
            assertTrue(bomb.length < 300_000, "it is small");
            IOException e = assertThrows(IOException.class, () -> stream.take(bomb));
            assertTrue(e.getMessage().contains("more than 100000 bytes"), e.getMessage());
        }
    }

    @Test
    void whatIsNoStreamSaysSo() {
        try (ZlibStream stream = new ZlibStream(MOST)) {
            byte[] text = "{\"op\":10}".getBytes(StandardCharsets.UTF_8);
            IOException e = assertThrows(IOException.class, () -> stream.take(text));
            assertTrue(e.getMessage().contains("no zlib stream"), e.getMessage());
        }
        try (ZlibStream stream = new ZlibStream(MOST)) {
            deflater.finish();
            byte[] ended = Arrays.copyOf(deflated(new byte[10], Deflater.NO_FLUSH), 100);
            IOException e = assertThrows(IOException.class, () -> stream.take(ended));
            assertTrue(e.getMessage().contains("after its end"), e.getMessage());
        }
    }

    @Test
    void connectionsAreCompressedAndPiecesAreJoined() {
        stage.discord.gateway().pieces(7);
        stage.ready();
        stage.discord.say(stage.anna, stage.dm, "in pieces 🧩");
        stage.awaitTexts("in pieces 🧩");
        assertTrue(stage.discord.gateway().awaitConnected().compressed());
    }

    @Test
    void withoutItConnectionsAreNot() {
        stage.uncompressed().ready();
        stage.discord.say(stage.anna, stage.dm, "plain");
        stage.awaitTexts("plain");
        assertFalse(stage.discord.gateway().awaitConnected().compressed());
    }

    @Test
    void aBombCostsItsConnectionAlone() {
        stage.ready();
        stage.discord.say(stage.anna, stage.dm, "before");
        stage.awaitTexts("before");
        stage.discord.gateway().bomb(64);
        Await.until(
                "the connection to be closed",
                () -> !stage.discord.gateway().connections().getFirst().open());
        stage.discord.gateway().awaitResumes(1);
        stage.discord.say(stage.anna, stage.dm, "after");
        stage.awaitTexts("before", "after");
        assertEquals(1, stage.discord.gateway().readies(), "the session goes on");
    }
}
