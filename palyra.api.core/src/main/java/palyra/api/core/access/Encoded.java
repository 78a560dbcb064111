package palyra.api.core.access;

import palyra.api.Require;

/** Parts of passkey messages as text. */
final class Encoded {
    private static final int LONGEST = 64 * 1024;

    private Encoded() {}

    static void require(String text, String what) {
        Require.that(
                text != null && !text.isEmpty() && text.length() <= LONGEST,
                "the " + what + " is missing or longer than " + LONGEST + " characters");
        Require.that(text.matches("[A-Za-z0-9_-]+"), "the " + what + " is not base64url");
    }
}
