package palyra.access.internal;

import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.TokenView;

/**
 * Finds the principal of a token. For every kind of bad token the same work is done and the same is
 * said, so that guessing teaches nothing.
 */
final class Authenticator {
    /** Prefix of the credential ids of tokens. */
    static final String CREDENTIAL_PREFIX = "token:";

    private final TokenStore tokens;
    private final LongSupplier clock;
    private final LongAdder refusals = new LongAdder();

    Authenticator(TokenStore tokens, LongSupplier clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    Principal authenticate(String token) {
        String shown = TokenText.orUnknown(token);
        Optional<StoredToken> found = tokens.find(TokenText.id(shown)).map(t -> t.stored());
        TokenView view = found.map(StoredToken::view).orElseGet(() -> unknown(shown));
        byte[] computed = tokens.mac(shown, view);
        byte[] expected = found.map(StoredToken::mac).orElseGet(() -> new byte[computed.length]);
        Optional<PrincipalKind> kind = PrincipalNames.kind(view.principal());
        // No short cut: every part is looked at before the answer.
        boolean good = MessageDigest.isEqual(computed, expected);
        good &= found.isPresent();
        good &= TokenText.wellFormed(token);
        good &= view.revokedAtMillis() == 0;
        good &= !expired(view, clock.getAsLong());
        good &= kind.isPresent();
        if (!good) {
            refusals.increment();
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    "The API token is not valid; ask an operator for a new one.");
        }
        return new Principal(
                view.principal(),
                kind.get(),
                view.groups(),
                view.scopes(),
                CREDENTIAL_PREFIX + view.tokenId());
    }

    private static TokenView unknown(String shown) {
        return new TokenView(TokenText.id(shown), "", "user:unknown", Set.of(), Set.of(), 0, 0, 0);
    }

    private static boolean expired(TokenView view, long nowMillis) {
        return view.expiresAtMillis() != 0 && view.expiresAtMillis() <= nowMillis;
    }

    long refusals() {
        return refusals.sum();
    }
}
