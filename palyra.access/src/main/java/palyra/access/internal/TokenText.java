package palyra.access.internal;

import java.security.SecureRandom;
import java.util.Base64;
import palyra.shared.hash.Ulids;

/**
 * The form of a token: {@code palyra_<token id>_<32 random bytes, base64url>}. The id says which
 * document to look at; only the secret counts.
 */
final class TokenText {
    private static final String PREFIX = "palyra_";
    private static final int ID_LENGTH = 26;
    private static final int SECRET_BYTES = 32;
    private static final int SECRET_LENGTH = 43;
    private static final int SECRET_AT = PREFIX.length() + ID_LENGTH + 1;
    private static final int LENGTH = SECRET_AT + SECRET_LENGTH;
    private static final String NOBODYS =
            PREFIX + "0".repeat(ID_LENGTH) + "_" + "A".repeat(SECRET_LENGTH);

    private TokenText() {}

    static String make(String tokenId, SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        return PREFIX + tokenId + "_" + text;
    }

    static boolean wellFormed(String token) {
        return token.length() == LENGTH
                && token.startsWith(PREFIX)
                && Ulids.isUlid(token.substring(PREFIX.length(), SECRET_AT - 1))
                && token.charAt(SECRET_AT - 1) == '_'
                && token.substring(SECRET_AT).matches("[A-Za-z0-9_-]+");
    }

    /** Returns the token, or for a malformed one a token of the right form that does not exist. */
    static String orUnknown(String token) {
        return wellFormed(token) ? token : NOBODYS;
    }

    /** Returns the id in a well-formed token. */
    static String id(String token) {
        return token.substring(PREFIX.length(), SECRET_AT - 1);
    }
}
