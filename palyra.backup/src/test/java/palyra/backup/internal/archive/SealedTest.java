package palyra.backup.internal.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class SealedTest {
    private static final int SEGMENT = SealedOutput.SEGMENT_BYTES;
    private static final int QUICK = 10; // iterations: many keys are derived here
    private static final int SEALED = SEGMENT + SealedOutput.TAG_BYTES;
    private static final int BEGIN = SealedOutput.MAGIC.length + SealedOutput.HEADER_BYTES;

    private static byte[] phrase(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    private static byte[] sealed(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SealedOutput sealed = new SealedOutput(out, phrase("correct horse"), QUICK);
        sealed.write(content);
        sealed.finish();
        return out.toByteArray();
    }

    private static byte[] opened(byte[] sealed, String passphrase) throws IOException {
        InputStream in = new ByteArrayInputStream(sealed);
        assertArrayEquals(SealedOutput.MAGIC, in.readNBytes(SealedOutput.MAGIC.length));
        try (SealedInput open = new SealedInput(in, phrase(passphrase))) {
            return open.readAllBytes();
        }
    }

    private static PalyraException refused(byte[] sealed, String passphrase) {
        return assertThrows(PalyraException.class, () -> opened(sealed, passphrase));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT})
    void whatWasSealedIsOpened(int length) throws IOException {
        byte[] content = content(length);
        assertArrayEquals(content, opened(sealed(content), "correct horse"));
    }

    @Test
    void anotherPassphraseOpensNothing() throws IOException {
        PalyraException e = refused(sealed(content(10)), "correct house");
        assertEquals(ErrorCode.UNAUTHENTICATED, e.code());
        assertTrue(e.getMessage().contains("passphrase"), e.getMessage());
    }

    @Test
    void aPassphraseThatIsTooShortIsRefused() {
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () -> new SealedOutput(new ByteArrayOutputStream(), phrase("short")));
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
    }

    @Test
    void everyCutIsNoticed() throws IOException {
        byte[] sealed = sealed(content(3 * SEGMENT));
        for (int end :
                new int[] {
                    BEGIN - 1,
                    BEGIN,
                    BEGIN + 5,
                    BEGIN + SEALED,
                    BEGIN + 2 * SEALED,
                    sealed.length - 1,
                    sealed.length - SealedOutput.TAG_BYTES
                }) {
            refused(Arrays.copyOf(sealed, end), "correct horse");
        }
    }

    @Test
    void everyChangeIsNoticed() throws IOException {
        byte[] sealed = sealed(content(2 * SEGMENT + 7));
        for (int at = SealedOutput.MAGIC.length; at < sealed.length; at += 4_099) {
            byte[] changed = sealed.clone();
            changed[at] ^= 1;
            refused(changed, "correct horse");
        }
    }

    @Test
    void segmentsThatAreMovedOrRepeatedAreNoticed() throws IOException {
        byte[] sealed = sealed(content(3 * SEGMENT));
        byte[] moved = sealed.clone();
        System.arraycopy(sealed, BEGIN, moved, BEGIN + SEALED, SEALED);
        System.arraycopy(sealed, BEGIN + SEALED, moved, BEGIN, SEALED);
        refused(moved, "correct horse");
        byte[] repeated = Arrays.copyOf(sealed, sealed.length + SEALED);
        System.arraycopy(sealed, BEGIN, repeated, BEGIN + SEALED, sealed.length - BEGIN);
        refused(repeated, "correct horse");
        refused(Arrays.copyOf(sealed, sealed.length + 1), "correct horse");
    }
}
