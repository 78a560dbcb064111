package palyra.access.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/**
 * Invitations: {@code NAME.<32 random bytes, base64url>}, of which the account keeps a keyed
 * digest. The name says which account to look at; only the random part counts.
 */
final class Invitations {
    static final long VALID_MILLIS = 15 * 60 * 1_000L;

    private static final int SECRET_BYTES = 32;
    private static final int LONGEST = 128;

    private final AccountStore store;
    private final Gate<Keys> keys;
    private final LongSupplier clock;
    private final SecureRandom random = new SecureRandom();

    Invitations(AccountStore store, Gate<Keys> keys, LongSupplier clock) {
        this.store = store;
        this.keys = keys;
        this.clock = clock;
    }

    String make(String name) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return name + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** Returns what an account keeps of an invitation, hex. */
    String digest(Account account, String invitation) {
        byte[] statement =
                Digests.tagged("palyra.invitation.v1").lp(account.id()).lp(invitation).bytes();
        byte[] mac = keys.call(present -> present.mac(KeyPurpose.TOKEN_DIGEST, statement));
        return HexFormat.of().formatHex(mac);
    }

    /** Returns the account that an open invitation is for; UNAUTHENTICATED without one. */
    AccountStore.Found require(String invitation) {
        int end = invitation.lastIndexOf('.');
        boolean usable = end > 0 && invitation.length() <= LONGEST;
        Optional<AccountStore.Found> found =
                usable ? store.find(invitation.substring(0, end)) : Optional.empty();
        return found.filter(each -> isOpen(each.account(), invitation))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.UNAUTHENTICATED,
                                        "The invitation is not valid: it was used, or is older"
                                                + " than 15 minutes. Ask an operator for another:"
                                                + " palyra console invite NAME."));
    }

    private boolean isOpen(Account account, String invitation) {
        boolean same =
                MessageDigest.isEqual(
                        account.invitation().getBytes(StandardCharsets.US_ASCII),
                        digest(account, invitation).getBytes(StandardCharsets.US_ASCII));
        return same && account.invitedUntilMillis() > clock.getAsLong() && !account.disabled();
    }
}
