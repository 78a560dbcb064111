package palyra.models.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.shared.hash.Digests;

/**
 * Redacts a key in messages of servers, which may echo requests. Keeps only a digest of the key.
 * Immutable.
 */
final class KeyRedactor {
    static final KeyRedactor NONE = new KeyRedactor(0, new byte[0]);

    private static final String HIDDEN = "[key]";

    /** A shorter key would match ordinary words. */
    private static final int SHORTEST = 6;

    private final int length;
    private final byte[] digest;

    private KeyRedactor(int length, byte[] digest) {
        this.length = length;
        this.digest = digest;
    }

    static KeyRedactor of(String key) {
        return key.length() < SHORTEST ? NONE : new KeyRedactor(key.length(), digest(key));
    }

    private static byte[] digest(String text) {
        return Digests.tagged("palyra.model.key").lp(text.getBytes(StandardCharsets.UTF_8)).bytes();
    }

    /** Returns a text without the key. For short texts. */
    String hide(String text) {
        if (length == 0) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            boolean here =
                    at + length <= text.length()
                            && Arrays.equals(digest, digest(text.substring(at, at + length)));
            shown.append(here ? HIDDEN : text.substring(at, at + 1));
            at += here ? length : 1;
        }
        return shown.toString();
    }
}
