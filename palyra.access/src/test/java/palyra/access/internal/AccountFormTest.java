package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** The documents of accounts as docs/formats.md says them. */
class AccountFormTest {
    private static final Account ALICE =
            new Account(
                    "alice",
                    "01J0000000000000000000000A",
                    Set.of("viewer", "operator"),
                    false,
                    "$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA",
                    List.of(new Account.Passkey("aWQ", "a2V5", 3, "laptop", 1, 2)),
                    "0a0b",
                    900_000,
                    7);

    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keys = new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 0);
    private final MemoryKeys key = new MemoryKeys();
    private final MemoryJournal store = new MemoryJournal();

    private SealedDocuments documents(String collection) {
        if (!journal.isPresent()) {
            journal.add(store, Map.of());
            keys.add(key, Map.of());
        }
        return new SealedDocuments(collection, journal, keys);
    }

    @Test
    void anAccountReadsBackAsItWasWritten() {
        byte[] written = Jcs.bytes(ALICE.json());
        assertEquals(
                "{\"createdAtMillis\":7,\"disabled\":false,\"groups\":[\"operator\",\"viewer\"],"
                        + "\"id\":\"01J0000000000000000000000A\",\"invitation\":\"0a0b\","
                        + "\"invitedUntilMillis\":900000,\"passkeys\":[{\"counter\":3,"
                        + "\"createdAtMillis\":1,\"id\":\"aWQ\",\"key\":\"a2V5\","
                        + "\"label\":\"laptop\",\"usedAtMillis\":2}],"
                        + "\"password\":\"$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA\"}",
                new String(written, StandardCharsets.UTF_8));
        assertEquals(ALICE, Account.of("alice", StrictJson.parse(written, "an account")));
    }

    @Test
    void aDocumentThatDoesNotSayWhetherItIsDisabledIs() {
        assertTrue(Account.of("alice", JsonNodeFactory.instance.objectNode()).disabled());
    }

    @Test
    void theCodeIsOverCollectionKeyAndContent() {
        ObjectNode content = JsonNodeFactory.instance.objectNode().put("account", "alice");
        Operation.PutDocument put = documents("access_passkey").put("k", content);
        byte[] statement =
                Digests.tagged("palyra.sealed-document.v1")
                        .lp("access_passkey")
                        .lp("k")
                        .lp("{\"account\":\"alice\"}")
                        .bytes();
        String code =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(key.mac(KeyPurpose.TOKEN_DIGEST, statement));
        assertEquals(
                "{\"account\":\"alice\",\"mac\":\"" + code + "\"}",
                new String(put.content(), StandardCharsets.UTF_8));
    }

    @Test
    void aDocumentThatWasMovedGrantsNothing() {
        ObjectNode content = JsonNodeFactory.instance.objectNode().put("account", "alice");
        SealedDocuments passkeys = documents("access_passkey");
        Operation.PutDocument put = passkeys.put("k", content);
        store.commit(
                Unit.builder()
                        .add(put)
                        .add(new Operation.PutDocument("access_passkey", "other", put.content()))
                        .add(new Operation.PutDocument("access_session", "k", put.content()))
                        .build());
        assertEquals(content, passkeys.find("k").orElseThrow().content());
        assertCorrupt(() -> passkeys.find("other"));
        assertCorrupt(() -> documents("access_session").find("k"));
    }

    private static void assertCorrupt(Runnable read) {
        assertEquals(ErrorCode.CORRUPT, assertThrows(PalyraException.class, read::run).code());
    }
}
