package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.TokenView;
import palyra.api.core.journal.Document;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * A token as the journal keeps it: what may be shown, who made it, and a message authentication
 * code. The code is over the token and over everything that it grants, so that a changed document
 * fits no token any more.
 *
 * @param mark what makes it a session of the console; {@link SessionMark#NONE} for an API token
 * @param mac 32 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // compared in constant time, never by equals
record StoredToken(TokenView view, String createdBy, SessionMark mark, byte[] mac) {
    static final String COLLECTION = "access_token";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Returns what the code is computed over. */
    static byte[] statement(String token, TokenView view, SessionMark mark) {
        Digests statement =
                Digests.tagged(mark.isNone() ? "palyra.api-token.v1" : "palyra.console-session.v1")
                        .lp(token)
                        .lp(view.tokenId())
                        .lp(view.principal())
                        .lp(joined(view.groups()))
                        .lp(joined(view.scopes()))
                        .u64(view.expiresAtMillis());
        return (mark.isNone() ? statement : mark.addTo(statement)).bytes();
    }

    /** No group or scope holds a line feed, so the text is unambiguous. */
    private static String joined(Set<String> words) {
        return String.join("\n", new TreeSet<>(words));
    }

    StoredToken revokedAt(long millis) {
        TokenView revoked =
                new TokenView(
                        view.tokenId(),
                        view.label(),
                        view.principal(),
                        view.groups(),
                        view.scopes(),
                        view.createdAtMillis(),
                        view.expiresAtMillis(),
                        millis);
        return new StoredToken(revoked, createdBy, mark, mac);
    }

    byte[] bytes() {
        ObjectNode root = JSON.objectNode();
        root.put("tokenId", view.tokenId());
        root.put("label", view.label());
        root.put("principal", view.principal());
        root.set("groups", array(view.groups()));
        root.set("scopes", array(view.scopes()));
        root.put("createdAtMillis", view.createdAtMillis());
        root.put("expiresAtMillis", view.expiresAtMillis());
        root.put("revokedAtMillis", view.revokedAtMillis());
        root.put("createdBy", createdBy);
        if (!mark.isNone()) {
            root.set("session", mark.json());
        }
        root.put("mac", Base64.getUrlEncoder().withoutPadding().encodeToString(mac));
        return Jcs.bytes(root);
    }

    static StoredToken of(Document document) {
        try {
            JsonNode root = StrictJson.parse(document.content(), "the token's document");
            TokenView view =
                    new TokenView(
                            document.key(),
                            root.path("label").asText(),
                            root.path("principal").asText(),
                            words(root.path("groups")),
                            words(root.path("scopes")),
                            root.path("createdAtMillis").asLong(),
                            root.path("expiresAtMillis").asLong(),
                            root.path("revokedAtMillis").asLong());
            return new StoredToken(
                    view,
                    root.path("createdBy").asText(),
                    SessionMark.of(root.path("session")),
                    Base64.getUrlDecoder().decode(root.path("mac").asText()));
        } catch (PalyraException | IllegalArgumentException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The document of token "
                            + document.key()
                            + " cannot be read; revoke it and make another.",
                    e);
        }
    }

    private static ArrayNode array(Collection<String> words) {
        ArrayNode array = JSON.arrayNode();
        new TreeSet<>(words).forEach(array::add);
        return array;
    }

    private static Set<String> words(JsonNode array) {
        Set<String> words = new TreeSet<>();
        array.forEach(word -> words.add(word.asText()));
        return words;
    }

    @Override
    public String toString() {
        return "StoredToken[" + view.tokenId() + "]";
    }
}
