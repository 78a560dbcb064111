package palyra.vault.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.vault.SecretInfo;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.vault.LentSecrets;

/**
 * The vault's events in the journal: one for each use and change, durable before it happens, and
 * how many changes there were, so that an older copy of the vault's folder is noticed. Thread-safe.
 */
final class VaultEvents {
    static final String PUT = "vault_secret_put";
    static final String USED = "vault_secret_used";
    static final String DELETED = "vault_secret_deleted";
    static final String ROTATED = "vault_secret_rotated";
    static final String KEY_ROTATED = "vault_key_rotated";

    private static final Logger LOG = LoggerFactory.getLogger(VaultEvents.class);
    private static final String COLLECTION = "vault";
    private static final String HEAD = "head";
    private static final int SCHEMA = 1;

    private final Gate<Journal> journal;

    VaultEvents(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Records a use, and for a call that its run was lent the value; durable on return. */
    void used(SecretInfo info, Permit permit) {
        Unit.Builder unit = Unit.builder().add(event(USED, about(info, permit)));
        LentSecrets.record(permit.principal().credentialId(), info.ref()).ifPresent(unit::add);
        journal.run(present -> present.commit(unit.build()));
    }

    /** Records a change that is about to happen, with what permitted it; durable on return. */
    void announce(OpenVault vault, Authorized permit, String type, ObjectNode about) {
        long begun = vault.store().counter() + 1;
        Unit unit = Unit.of(permit.record(), event(type, about), head(vault, begun, begun - 1));
        journal.run(present -> present.commit(unit));
    }

    /** Records that a rotation continues; its permission is in the journal already. */
    void announceRewrap(OpenVault vault, int count) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("vault", vault.ring().vaultId());
        about.put("keyVersion", vault.ring().current());
        about.put("secrets", count);
        long begun = vault.store().counter() + 1;
        Unit unit = Unit.of(event(ROTATED, about), head(vault, begun, begun - 1));
        journal.run(present -> present.commit(unit));
    }

    /** Records that a change happened; it need not be durable, and no caller waits for it. */
    void done(OpenVault vault) {
        long counter = vault.store().counter();
        try (Gate.Lease<Journal> lease = journal.lease(0)) {
            lease.service().submit(Unit.of(head(vault, counter, counter)));
        } catch (PalyraException e) {
            LOG.debug("The journal did not record that the vault's change {} happened", counter, e);
        }
    }

    static ObjectNode about(SecretInfo info, Permit permit) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("secret", info.ref().toString());
        about.put("version", info.version());
        about.put("keyVersion", info.keyVersion());
        about.put("principal", permit.principal().id());
        about.put("action", permit.action());
        about.put("permitId", permit.permitId());
        return about;
    }

    private static Operation.Append event(String type, ObjectNode about) {
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, type, SCHEMA, Jcs.bytes(about));
    }

    private static Operation.PutDocument head(OpenVault vault, long begun, long done) {
        ObjectNode head = JsonNodeFactory.instance.objectNode();
        head.put("vault", vault.ring().vaultId());
        head.put("begun", begun);
        head.put("done", done);
        return new Operation.PutDocument(COLLECTION, HEAD, Jcs.bytes(head));
    }

    /**
     * Throws CORRUPT when the journal knows a newer state of the vault, or another vault.
     *
     * @param accepted state that is accepted all the same, as the refusal names it
     */
    void requireNewest(OpenVault vault, String accepted) {
        Optional<Document> known = journal.call(present -> present.document(COLLECTION, HEAD));
        if (known.isEmpty()) {
            return;
        }
        JsonNode head =
                StrictJson.parse(
                        new String(known.get().content(), StandardCharsets.UTF_8),
                        "the head of the vault");
        String id = head.path("vault").asText();
        long begun = head.path("begun").asLong();
        long counter = vault.store().counter();
        boolean older = begun > counter + 1 || head.path("done").asLong() > counter;
        if (id.equals(vault.ring().vaultId()) && !older) {
            return;
        }
        String state = id + ":" + begun;
        if (accepted.equals(state)) {
            LOG.warn("The vault's state {} is given up as configured.", state);
            journal.run(present -> present.commit(Unit.of(head(vault, counter, counter))));
            return;
        }
        throw new PalyraException(
                ErrorCode.CORRUPT,
                "The journal knows "
                        + (older && id.equals(vault.ring().vaultId())
                                ? "a newer state of the vault (change "
                                        + begun
                                        + ", here "
                                        + counter
                                        + ")"
                                : "another vault than the one in its folder")
                        + ": changes would be lost. Restore the newest backup of the vault's"
                        + " folder, or, to go on without them, set acceptState of palyra.vault to "
                        + state
                        + ".");
    }
}
