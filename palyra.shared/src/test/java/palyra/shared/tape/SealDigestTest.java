package palyra.shared.tape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.Seal;
import palyra.shared.hash.Digests;

/** The digest of a checkpoint is the one that the formats name. */
class SealDigestTest {
    private static final byte[] PREVIOUS = filled(32, 9);

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static Seal seal(String runId, String keyId) {
        return new Seal(runId, 7, filled(32, 1), keyId, filled(64, 2));
    }

    private static void lp(ByteBuffer to, byte[] bytes) {
        to.putLong(bytes.length).put(bytes);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void digestAndStatementAreThoseOfTheFormats() {
        ByteBuffer fields = ByteBuffer.allocate(1_000);
        fields.put(ascii("palyra.seals.v1")).putLong(3);
        lp(fields, PREVIOUS);
        for (Seal seal : new Seal[] {seal("r1", "k"), seal("r2", "k")}) {
            lp(fields, ascii(seal.runId()));
            fields.putLong(seal.seq());
            lp(fields, seal.hash());
            lp(fields, ascii(seal.keyId()));
            lp(fields, seal.signature());
        }
        byte[] expected = Digests.sha256(Arrays.copyOf(fields.array(), fields.position()));
        SealDigest digest = new SealDigest(3, PREVIOUS).add(seal("r1", "k")).add(seal("r2", "k"));
        assertEquals(2, digest.seals());
        assertArrayEquals(expected, digest.bytes());
        fields.clear().put(ascii("palyra.seals.checkpoint.v1")).putLong(3);
        lp(fields, expected);
        assertArrayEquals(
                Arrays.copyOf(fields.array(), fields.position()),
                SealDigest.statement(3, expected));
    }

    @Test
    void fieldsDoNotRunIntoEachOther() {
        byte[] one = new SealDigest(1, PREVIOUS).add(seal("ab", "c")).bytes();
        assertFalse(Arrays.equals(one, new SealDigest(1, PREVIOUS).add(seal("a", "bc")).bytes()));
        assertFalse(Arrays.equals(one, new SealDigest(2, PREVIOUS).add(seal("ab", "c")).bytes()));
        assertFalse(
                Arrays.equals(one, new SealDigest(1, new byte[0]).add(seal("ab", "c")).bytes()));
    }
}
