package palyra.sandbox.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.shared.json.Jcs;

/** Bytes of a command as text of a JSON document. */
class OutputTextTest {
    private static final byte[][] PIECES = {
        {0},
        {'a'},
        {'"'},
        {'\\'},
        {'\n'},
        {27},
        {127},
        {(byte) 0xC3, (byte) 0xA9},
        {(byte) 0xE2, (byte) 0x82, (byte) 0xAC},
        {(byte) 0xF0, (byte) 0x9F, (byte) 0x98, (byte) 0x80},
        {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
        {(byte) 0xC0, (byte) 0x80},
        {(byte) 0xFF},
        {(byte) 0xE2, (byte) 0x82},
        {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
        {(byte) 0xE0, (byte) 0x80, (byte) 0x80},
        {(byte) 0x80}
    };

    private static byte[] random(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(60); i > 0; i--) {
            out.writeBytes(PIECES[random.nextInt(PIECES.length)]);
        }
        return out.toByteArray();
    }

    @Test
    void textNeverTakesMoreRoomThanThereIs() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = random(random);
            int room = random.nextInt(200);
            OutputText.Piece piece = OutputText.head(bytes, room, random.nextBoolean());
            int written = Jcs.bytes(JsonNodeFactory.instance.textNode(piece.text())).length - 2;
            assertTrue(written <= piece.cost(), Arrays.toString(bytes) + " takes " + written);
            assertTrue(piece.cost() <= room);
        }
    }

    @Test
    void piecesJoinedAreTheWhole() {
        Random random = new Random(8);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = random(random);
            StringBuilder joined = new StringBuilder();
            int at = 0;
            while (at < bytes.length) {
                byte[] rest = Arrays.copyOfRange(bytes, at, bytes.length);
                OutputText.Piece piece = OutputText.head(rest, 6 + random.nextInt(20), false);
                joined.append(piece.text());
                at += piece.consumed();
            }
            String whole = new String(bytes, StandardCharsets.UTF_8);
            assertEquals(whole.replace("\ufffd", ""), joined.toString().replace("\ufffd", ""));
        }
    }

    @Test
    void characterThatIsNotCompleteYetWaits() {
        byte[] bytes = {'a', (byte) 0xE2, (byte) 0x82};
        assertEquals(1, OutputText.head(bytes, 100, true).consumed());
        assertEquals("a\ufffd", OutputText.head(bytes, 100, false).text());
    }
}
