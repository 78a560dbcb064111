package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Documents with a message authentication code over collection, key and content: one that was
 * changed in the database, or moved to another key, counts as damaged and grants nothing.
 */
final class SealedDocuments {
    private static final int PAGE = 500;
    private static final String MAC = "mac";

    /** A document without its code, with its version. */
    record Found(String key, ObjectNode content, long version) {}

    private final String collection;
    private final Gate<Journal> journal;
    private final Gate<Keys> keys;

    SealedDocuments(String collection, Gate<Journal> journal, Gate<Keys> keys) {
        this.collection = collection;
        this.journal = journal;
        this.keys = keys;
    }

    Optional<Found> find(String key) {
        return journal.call(present -> present.document(collection, key)).map(this::opened);
    }

    /** Returns every document in the order of the keys. */
    List<Found> all() {
        List<Found> all = new ArrayList<>();
        String after = "";
        List<Document> page;
        do {
            String from = after;
            page = journal.call(present -> present.documents(collection, from, PAGE));
            for (Document document : page) {
                all.add(opened(document));
                after = document.key();
            }
        } while (page.size() == PAGE);
        return all;
    }

    private Found opened(Document document) {
        JsonNode read = StrictJson.parse(document.content(), "a document of " + collection);
        if (read instanceof ObjectNode content) {
            String mac = content.path(MAC).asText();
            content.remove(MAC);
            if (MessageDigest.isEqual(
                    mac.getBytes(StandardCharsets.US_ASCII),
                    mac(document.key(), content).getBytes(StandardCharsets.US_ASCII))) {
                return new Found(document.key(), content, document.version());
            }
        }
        throw new PalyraException(
                ErrorCode.CORRUPT,
                "The document "
                        + document.key()
                        + " of "
                        + collection
                        + " is not as it was written, so it grants nothing. Remove the account with"
                        + " palyra console remove and invite the person again.");
    }

    private String mac(String key, ObjectNode content) {
        byte[] statement =
                Digests.tagged("palyra.sealed-document.v1")
                        .lp(collection)
                        .lp(key)
                        .lp(Jcs.bytes(content))
                        .bytes();
        byte[] mac = keys.call(present -> present.mac(KeyPurpose.TOKEN_DIGEST, statement));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
    }

    Operation.PutDocument put(String key, ObjectNode content) {
        ObjectNode sealed = content.deepCopy();
        sealed.put(MAC, mac(key, content));
        return new Operation.PutDocument(collection, key, Jcs.bytes(sealed));
    }

    Operation.DeleteDocument delete(String key) {
        return new Operation.DeleteDocument(collection, key);
    }

    Precondition.DocumentAt at(String key, long version) {
        return new Precondition.DocumentAt(collection, key, version);
    }
}
