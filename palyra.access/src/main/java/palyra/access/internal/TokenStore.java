package palyra.access.internal;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.core.access.TokenView;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;

/** Tokens in the journal. Nothing is cached: each call reads the journal. */
final class TokenStore {
    private static final int PAGE = 500;

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final SecureRandom random = new SecureRandom();

    TokenStore(Gate<Journal> journal, Gate<Keys> keys) {
        this.journal = journal;
        this.keys = keys;
    }

    /** A token that was made but not stored yet. */
    record Made(StoredToken stored, String secret) {
        @Override
        public String toString() {
            return "Made[" + stored + ", secret withheld]";
        }
    }

    /** A token as stored, with the version of its document. */
    record Found(StoredToken stored, long version) {}

    Made make(TokenView view, String createdBy) {
        return make(view, createdBy, SessionMark.NONE);
    }

    Made make(TokenView view, String createdBy, SessionMark mark) {
        String secret = TokenText.make(view.tokenId(), random);
        byte[] mac = mac(secret, view, mark);
        return new Made(new StoredToken(view, createdBy, mark, mac), secret);
    }

    byte[] mac(String token, TokenView view, SessionMark mark) {
        byte[] statement = StoredToken.statement(token, view, mark);
        return keys.call(present -> present.mac(KeyPurpose.TOKEN_DIGEST, statement));
    }

    Optional<Found> find(String tokenId) {
        return journal.call(present -> present.document(StoredToken.COLLECTION, tokenId))
                .map(document -> new Found(StoredToken.of(document), document.version()));
    }

    /** Returns all tokens, oldest first. */
    List<TokenView> all() {
        return stored().stream().map(StoredToken::view).toList();
    }

    /** Returns all tokens as they are stored, oldest first. */
    List<StoredToken> stored() {
        List<StoredToken> all = new ArrayList<>();
        String after = "";
        List<Document> page;
        do {
            String from = after;
            page = journal.call(present -> present.documents(StoredToken.COLLECTION, from, PAGE));
            for (Document document : page) {
                all.add(StoredToken.of(document));
                after = document.key();
            }
        } while (page.size() == PAGE);
        return all;
    }

    boolean isEmpty() {
        return journal.call(present -> present.documents(StoredToken.COLLECTION, "", 1)).isEmpty();
    }

    static Operation.PutDocument put(StoredToken token) {
        return new Operation.PutDocument(
                StoredToken.COLLECTION, token.view().tokenId(), token.bytes());
    }

    static Precondition.DocumentAt at(String tokenId, long version) {
        return new Precondition.DocumentAt(StoredToken.COLLECTION, tokenId, version);
    }
}
