package palyra.sandbox.internal.canary;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * Writes reports into the journal, signed: event {@code sandbox_canary}, whose payload is the
 * report with {@code sha256}, {@code key_id} and {@code signature} (Ed25519 over {@link
 * CanaryReport#statement}, base64url without padding). Thread-safe.
 */
public final class CanaryJournal {
    /** Type of the event. */
    public static final String TYPE = "sandbox_canary";

    private static final String SCOPE = "sandbox.canary";

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;

    /** Creates it over journal and key store. */
    public CanaryJournal(Gate<Journal> journal, Gate<Keys> keys) {
        this.journal = journal;
        this.keys = keys;
    }

    /**
     * Returns when the report is durable; writing it again changes nothing.
     *
     * @throws palyra.api.PalyraException when there is no key store or no journal now
     */
    void record(CanaryReport report) {
        KeySignature signature =
                keys.call(store -> store.sign(KeyPurpose.ATTESTATION, report.statement()));
        ObjectNode payload = report.json();
        payload.put("sha256", report.sha256());
        payload.put("keyId", signature.keyId());
        payload.put(
                "signature",
                Base64.getUrlEncoder().withoutPadding().encodeToString(signature.signature()));
        byte[] bytes = Jcs.bytes(payload);
        Unit unit =
                Unit.builder()
                        .once(
                                new IdempotencyKey(SCOPE, report.id(), Digests.sha256Hex(bytes)),
                                new byte[0])
                        .add(new Operation.Append(TapeRecord.JOURNAL_STREAM, TYPE, 1, bytes))
                        .build();
        journal.run(store -> store.commit(unit));
    }
}
