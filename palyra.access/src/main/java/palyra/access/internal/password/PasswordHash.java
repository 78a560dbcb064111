package palyra.access.internal.password;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A password as it is kept: Argon2id (RFC 9106, version 0x13) as a PHC string, {@code
 * $argon2id$v=19$m=…,t=…,p=…$salt$hash}.
 */
@SuppressWarnings("ArrayRecordComponent") // compared in constant time, never by equals
public record PasswordHash(int memoryKib, int passes, int lanes, byte[] salt, byte[] hash) {
    /** One pass more than the least that OWASP recommends for this memory. */
    private static final int MEMORY_KIB = 19_456;

    private static final int PASSES = 3;
    private static final int LANES = 1;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MOST_KIB = 1 << 17;
    private static final int MOST_PASSES = 16;
    private static final Pattern PHC =
            Pattern.compile(
                    "\\$argon2id\\$v=19\\$m=([0-9]{1,6}),t=([0-9]{1,2}),p=([1-4])"
                            + "\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{43})");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns the hash of a new password. */
    public static PasswordHash of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return new PasswordHash(
                MEMORY_KIB,
                PASSES,
                LANES,
                salt,
                compute(password, MEMORY_KIB, PASSES, LANES, salt));
    }

    /** Returns a hash that no password has, which costs as much as a real one to compare with. */
    public static PasswordHash ofNone() {
        return new PasswordHash(
                MEMORY_KIB, PASSES, LANES, new byte[SALT_BYTES], new byte[HASH_BYTES]);
    }

    /** Reads a PHC string. CORRUPT when it is malformed, or costs more than a sign-in may. */
    public static PasswordHash parse(String phc) {
        Matcher parts = PHC.matcher(phc);
        if (parts.matches()) {
            PasswordHash read =
                    new PasswordHash(
                            Integer.parseInt(parts.group(1)),
                            Integer.parseInt(parts.group(2)),
                            Integer.parseInt(parts.group(3)),
                            Base64.getDecoder().decode(parts.group(4)),
                            Base64.getDecoder().decode(parts.group(5)));
            if (read.memoryKib >= 8 * read.lanes
                    && read.memoryKib <= MOST_KIB
                    && read.passes >= 1
                    && read.passes <= MOST_PASSES) {
                return read;
            }
        }
        throw new PalyraException(
                ErrorCode.CORRUPT,
                "The stored password of an account cannot be read; invite the person again.");
    }

    /** Returns the PHC string. */
    public String phc() {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m="
                + memoryKib
                + ",t="
                + passes
                + ",p="
                + lanes
                + "$"
                + base64.encodeToString(salt)
                + "$"
                + base64.encodeToString(hash);
    }

    /** Returns whether a password is the one that was hashed; compares in constant time. */
    public boolean matches(String password) {
        return MessageDigest.isEqual(hash, compute(password, memoryKib, passes, lanes, salt));
    }

    /** Returns whether a new password would be hashed at least as slowly: then hash it again. */
    public boolean outdated() {
        return memoryKib != MEMORY_KIB || passes != PASSES || lanes != LANES;
    }

    private static byte[] compute(
            String password, int memoryKib, int passes, int lanes, byte[] salt) {
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        try {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(
                    new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                            .withSalt(salt)
                            .withMemoryAsKB(memoryKib)
                            .withIterations(passes)
                            .withParallelism(lanes)
                            .build());
            byte[] out = new byte[HASH_BYTES];
            generator.generateBytes(bytes, out);
            return out;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    public String toString() {
        return "PasswordHash[withheld]";
    }
}
