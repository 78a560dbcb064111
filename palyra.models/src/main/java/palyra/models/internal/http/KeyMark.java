package palyra.models.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.shared.hash.Digests;

/**
 * Knows a key when it sees it, without keeping it: servers repeat what they were sent in their
 * messages. Immutable.
 */
final class KeyMark {
    static final KeyMark NONE = new KeyMark(0, new byte[0]);

    private static final String HIDDEN = "[key]";

    /** A shorter one would be found in ordinary words. */
    private static final int SHORTEST = 6;

    private final int length;
    private final byte[] digest;

    private KeyMark(int length, byte[] digest) {
        this.length = length;
        this.digest = digest;
    }

    static KeyMark of(String key) {
        return key.length() < SHORTEST ? NONE : new KeyMark(key.length(), digest(key));
    }

    private static byte[] digest(String text) {
        return Digests.tagged("palyra.model.key").lp(text.getBytes(StandardCharsets.UTF_8)).bytes();
    }

    /** Returns the text with the key hidden wherever it stands. For short texts. */
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
