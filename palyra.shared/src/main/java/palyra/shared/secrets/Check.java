package palyra.shared.secrets;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;

/** What tells a secret from a text that only has its form. */
enum Check {
    /** The form says enough. */
    NONE,
    /** Looks random, and is no placeholder such as {@code xxxxxxxx}. */
    RANDOM,
    /** The same, with letters and digits. */
    MIXED,
    /** The same, with digits, lower-case and upper-case letters. */
    STRONG,
    /** Random, with letters and several digits: not an ordinary name. */
    OPAQUE,
    /** No variable such as {@code $NAME}, no mask such as {@code ***}, not a word for passwords. */
    LITERAL,
    /** The same, with letters and digits. */
    PASSWORD,
    /** Random, or its last six characters are the checksum of the rest. */
    CHECKSUM,
    /** Base64 of {@code user:password}, RFC 7617. */
    BASIC;

    private static final String BASE62 =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int CHECKSUM_LENGTH = 6;
    private static final Set<String> WORDS =
            Set.of("password", "passwd", "pass", "pwd", "secret", "token", "changeme", "null");
    private static final List<String> STAND_INS =
            List.of(
                    "example",
                    "xxxxx",
                    "placeholder",
                    "changeme",
                    "redacted",
                    "your-",
                    "your_",
                    "abcdefghij",
                    "0123456789",
                    "1234567890");

    boolean accepts(String body) {
        return switch (this) {
            case NONE -> true;
            case RANDOM -> random(body);
            case MIXED -> random(body) && has(body, '0', '9') && letters(body);
            case STRONG ->
                    random(body)
                            && has(body, '0', '9')
                            && has(body, 'a', 'z')
                            && has(body, 'A', 'Z');
            case OPAQUE -> random(body) && letters(body) && digits(body) >= 3;
            case LITERAL -> literal(body);
            case PASSWORD -> literal(body) && has(body, '0', '9') && letters(body);
            case CHECKSUM -> checksum(body) || random(body);
            case BASIC -> basic(body);
        };
    }

    private static long digits(String body) {
        return body.chars().filter(c -> c >= '0' && c <= '9').count();
    }

    private static boolean literal(String password) {
        boolean variable = "$%{[<(".indexOf(password.charAt(0)) >= 0;
        boolean masked = password.chars().allMatch(c -> "xX*.?".indexOf(c) >= 0);
        return !variable && !masked && !WORDS.contains(password.toLowerCase(Locale.ROOT));
    }

    private static boolean letters(String body) {
        return has(body, 'a', 'z') || has(body, 'A', 'Z');
    }

    private static boolean has(String body, char from, char to) {
        return body.chars().anyMatch(c -> c >= from && c <= to);
    }

    /** A third as many different characters as there are, up to ten; none five times in a row. */
    private static boolean random(String body) {
        long different =
                body.chars().filter(c -> c < 128 && Chars.isWord((char) c)).distinct().count();
        if (different < Math.min(10, (body.length() + 2) / 3)) {
            return false;
        }
        int same = 1;
        for (int i = 1; i < body.length() && same < 5; i++) {
            same = body.charAt(i) == body.charAt(i - 1) ? same + 1 : 1;
        }
        String lower = body.toLowerCase(Locale.ROOT);
        return same < 5 && STAND_INS.stream().noneMatch(lower::contains);
    }

    /** CRC-32 of the preceding text, in base 62: GitHub's and npm's tokens end so. */
    static boolean checksum(String body) {
        int cut = body.length() - CHECKSUM_LENGTH;
        CRC32 crc = new CRC32();
        crc.update(body.substring(0, cut).getBytes(StandardCharsets.US_ASCII));
        long left = crc.getValue();
        for (int i = body.length() - 1; i >= cut; i--) {
            if (body.charAt(i) != BASE62.charAt((int) (left % BASE62.length()))) {
                return false;
            }
            left /= BASE62.length();
        }
        return left == 0;
    }

    private static boolean basic(String body) {
        try {
            byte[] pair = Base64.getDecoder().decode(body);
            int colon = -1;
            for (int i = 0; i < pair.length; i++) {
                if (pair[i] >= 0 && pair[i] < ' ') {
                    return false;
                }
                colon = colon < 0 && pair[i] == ':' ? i : colon;
            }
            return colon > 0 && colon < pair.length - 1;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
