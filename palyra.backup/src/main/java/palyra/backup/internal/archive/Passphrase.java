package palyra.backup.internal.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.terminal.TerminalInput;

/** Keys of backups from passphrases, by PBKDF2 with HMAC-SHA-512 (RFC 8018). */
public final class Passphrase {
    /** Fewer bytes than this are no passphrase. */
    public static final int LEAST_BYTES = 8;

    /** More are refused, so that no file is taken for a passphrase. */
    public static final int MOST_BYTES = 1_024;

    /** Passes for new backups: more than twice what OWASP recommends for this hash. */
    static final int ITERATIONS = 600_000;

    private static final int MOST_ITERATIONS = 5_000_000;
    private static final int KEY_BITS = 256;

    private Passphrase() {}

    /**
     * Returns the key. Overwrites {@code passphrase}.
     *
     * @param passphrase UTF-8
     * @throws PalyraException INVALID_ARGUMENT when it is too short, too long or no UTF-8
     */
    static SecretKeySpec key(byte[] passphrase, byte[] salt, int iterations) {
        if (passphrase.length < LEAST_BYTES || passphrase.length > MOST_BYTES) {
            throw invalid(
                    "A passphrase has "
                            + LEAST_BYTES
                            + " to "
                            + MOST_BYTES
                            + " bytes; this one has "
                            + passphrase.length
                            + ".");
        }
        if (iterations < 1 || iterations > MOST_ITERATIONS) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The backup is damaged: it asks for "
                            + iterations
                            + " passes. Use another copy of it.");
        }
        char[] text = text(passphrase);
        PBEKeySpec spec = new PBEKeySpec(text, salt, iterations, KEY_BITS);
        try {
            byte[] key =
                    SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                            .generateSecret(spec)
                            .getEncoded();
            return new SecretKeySpec(key, "AES");
        } catch (GeneralSecurityException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL, "This Java runtime has no PBKDF2WithHmacSHA512.", e);
        } finally {
            spec.clearPassword();
            Arrays.fill(text, '\0');
        }
    }

    /** Reads the first line of an input, without its end; one byte too many is refused later. */
    public static byte[] firstLine(InputStream in) throws IOException {
        return TerminalInput.withoutEnd(TerminalInput.line(in, MOST_BYTES + 3));
    }

    private static char[] text(byte[] passphrase) {
        try {
            CharBuffer text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(passphrase));
            char[] copy = new char[text.remaining()];
            text.get(copy);
            Arrays.fill(text.array(), '\0');
            return copy;
        } catch (CharacterCodingException e) {
            throw invalid("The passphrase is not UTF-8 text.");
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private static PalyraException invalid(String sentence) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, sentence);
    }
}
