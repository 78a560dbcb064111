package palyra.access.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.journal.Unit;
import palyra.shared.hash.Ulids;

/** Creates, revokes and lists tokens, each under its permit. */
final class Tokens {
    private static final int TRIES = 5;

    private final TokenStore store;
    private final Recorder recorder;
    private final LongSupplier clock;
    private final Ulids ids;

    Tokens(TokenStore store, Recorder recorder, LongSupplier clock, Ulids ids) {
        this.store = store;
        this.recorder = recorder;
        this.clock = clock;
        this.ids = ids;
    }

    IssuedToken create(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        long now = clock.getAsLong();
        permit.permit().requireFor("access.token.create", now);
        TokenLimits.requireUsable(label, principal, groups, scopes, ttlMillis);
        long expires = ttlMillis == 0 ? 0 : now + ttlMillis;
        TokenView wanted =
                new TokenView(ids.next(), label, principal, groups, scopes, now, expires, 0);
        Principal maker = permit.permit().principal();
        TokenLimits.requireWithin(wanted, maker, tokenOf(maker));
        TokenStore.Made made = store.make(wanted, maker.id());
        recorder.commit(
                Unit.builder()
                        .require(TokenStore.at(wanted.tokenId(), 0))
                        .add(TokenStore.put(made.stored()))
                        .add(permit.record())
                        .build());
        return new IssuedToken(wanted, made.secret());
    }

    private Optional<TokenView> tokenOf(Principal maker) {
        String credential = maker.credentialId();
        if (!credential.startsWith(Authenticator.CREDENTIAL_PREFIX)) {
            return Optional.empty();
        }
        String tokenId = credential.substring(Authenticator.CREDENTIAL_PREFIX.length());
        TokenView view = require(tokenId).stored().view();
        if (view.revokedAtMillis() != 0) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The token was not made: the token that asks for it was revoked meanwhile.");
        }
        return Optional.of(view);
    }

    TokenView revoke(Authorized permit, String tokenId) {
        permit.permit().requireFor("access.token.revoke", clock.getAsLong());
        Ulids.require(tokenId, "token id");
        for (int i = 1; ; i++) {
            TokenStore.Found found = require(tokenId);
            if (found.stored().view().revokedAtMillis() != 0) {
                return found.stored().view();
            }
            StoredToken revoked = found.stored().revokedAt(clock.getAsLong());
            try {
                recorder.commit(
                        Unit.builder()
                                .require(TokenStore.at(tokenId, found.version()))
                                .add(TokenStore.put(revoked))
                                .add(permit.record())
                                .build());
                return revoked.view();
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT || i == TRIES) {
                    throw e;
                }
            }
        }
    }

    private TokenStore.Found require(String tokenId) {
        return store.find(tokenId)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no token "
                                                + tokenId
                                                + "; palyra access tokens lists them."));
    }

    List<TokenView> list(Permit permit) {
        permit.requireFor("access.token.list", clock.getAsLong());
        List<TokenView> views = new ArrayList<>(store.all());
        Collections.reverse(views);
        return views;
    }
}
