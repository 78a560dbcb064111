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

    /** Returns the principal of an API token, never of a session of the console. */
    Principal authenticate(String token) {
        StoredToken stored = find(token, false);
        return principal(stored.view());
    }

    /** Returns the token of a session of the console; its account is the caller's to look at. */
    StoredToken session(String token) {
        return find(token, true);
    }

    /** Returns whom a token speaks for. */
    static Principal principal(TokenView view) {
        return new Principal(
                view.principal(),
                PrincipalNames.kind(view.principal()).orElseThrow(),
                view.groups(),
                view.scopes(),
                CREDENTIAL_PREFIX + view.tokenId());
    }

    private StoredToken find(String token, boolean session) {
        String shown = TokenText.orUnknown(token);
        Optional<StoredToken> found = tokens.find(TokenText.id(shown)).map(t -> t.stored());
        TokenView view = found.map(StoredToken::view).orElseGet(() -> unknown(shown));
        SessionMark mark = found.map(StoredToken::mark).orElse(SessionMark.NONE);
        byte[] computed = tokens.mac(shown, view, mark);
        byte[] expected = found.map(StoredToken::mac).orElseGet(() -> new byte[computed.length]);
        Optional<PrincipalKind> kind = PrincipalNames.kind(view.principal());
        // No short cut: every part is looked at before the answer.
        boolean good = MessageDigest.isEqual(computed, expected);
        good &= found.isPresent();
        good &= TokenText.wellFormed(token);
        good &= view.revokedAtMillis() == 0;
        good &= !expired(view, clock.getAsLong());
        good &= kind.isPresent();
        good &= mark.isNone() != session;
        if (!good) {
            refusals.increment();
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    session
                            ? "The session has ended; sign in again."
                            : "The API token is not valid; ask an operator for a new one.");
        }
        return found.get();
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
