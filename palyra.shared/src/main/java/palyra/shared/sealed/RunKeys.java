package palyra.shared.sealed;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The data keys of runs: 32 random bytes, made when a run has its first secret, wrapped by the boot
 * key store under the run's id, kept as the document {@value #COLLECTION} / run id. Deleting that
 * document, or putting a note in its place ({@link RunErasure}), erases what the run's records keep
 * sealed. Thread-safe.
 */
final class RunKeys {
    static final String COLLECTION = "run_keys";

    private static final int KEY_LENGTH = 32;
    private static final String WRAPPED = "wrapped";
    private static final String CONTEXT = "palyra.run.key.v1:";

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final SecureRandom random = new SecureRandom();

    RunKeys(Gate<Journal> journal, Gate<Keys> keys) {
        this.journal = journal;
        this.keys = keys;
    }

    byte[] nonce() {
        byte[] nonce = new byte[SealedPart.NONCE_LENGTH];
        random.nextBytes(nonce);
        return nonce;
    }

    /**
     * Returns a run's key; empty when it has none, when it was erased, or wrapped by other boot
     * keys.
     */
    Optional<byte[]> find(String runId) {
        return journal.call(j -> j.document(COLLECTION, runId)).flatMap(this::unwrapped);
    }

    /** Throws CONFLICT when the run's secrets were erased. */
    void requireNotErased(String runId) {
        journal.call(j -> j.document(COLLECTION, runId)).ifPresent(RunErasure::refuse);
    }

    private Optional<byte[]> unwrapped(Document document) {
        if (RunErasure.isErased(document)) {
            return Optional.empty();
        }
        byte[] wrapped =
                Base64.getUrlDecoder()
                        .decode(
                                StrictJson.parse(document.content(), "a run's key")
                                        .path(WRAPPED)
                                        .asText());
        try {
            return Optional.of(keys.call(k -> k.unwrap(wrapped, context(document.key()))));
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CORRUPT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Returns a run's key, making it if absent; durable when it returns.
     *
     * @throws PalyraException CONFLICT when it was erased; CORRUPT when there is one that cannot be
     *     used; UNAVAILABLE kinds while journal or keys are away
     */
    byte[] require(String runId) {
        Optional<byte[]> found = find(runId);
        if (found.isPresent()) {
            return found.get();
        }
        requireNotErased(runId);
        try {
            return make(runId);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
        }
        return find(runId)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.CORRUPT,
                                        "The key of run "
                                                + runId
                                                + " was wrapped by other boot keys; restore those"
                                                + " keys, or start a new run."));
    }

    private byte[] make(String runId) {
        byte[] key = new byte[KEY_LENGTH];
        random.nextBytes(key);
        byte[] wrapped = keys.call(k -> k.wrap(key, context(runId)));
        byte[] content =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put(
                                        WRAPPED,
                                        Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(wrapped)));
        Unit unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(COLLECTION, runId, 0))
                        .add(new Operation.PutDocument(COLLECTION, runId, content))
                        .build();
        journal.call(j -> j.commit(unit));
        return key;
    }

    private static byte[] context(String runId) {
        return (CONTEXT + runId).getBytes(StandardCharsets.UTF_8);
    }
}
