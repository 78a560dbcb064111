package palyra.journal.internal.database;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.gate.Gate;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/** The key store as the journal needs it; it may be swapped while the journal runs. */
public final class HeadSigner {
    private static final long SHORT_MILLIS = 50;
    private static final long PATIENT_MILLIS = 2_000;

    private final Gate<Keys> keys;

    public HeadSigner(Gate<Keys> keys) {
        this.keys = keys;
    }

    /**
     * Waits until the key store is there, before a transaction that needs it begins; gives up in
     * silence, the unit then fails by itself.
     */
    public void await(long millis) {
        if (!keys.isPresent() && millis > 0) {
            try {
                keys.lease(millis).close();
            } catch (PalyraException e) {
                // sign() says so to the unit that it concerns
            }
        }
    }

    /** Signs the head of a tape; KEYS_UNAVAILABLE when there is no key store. */
    public KeySignature sign(byte[] statement) {
        return call(service -> service.sign(KeyPurpose.TAPE_HEAD, statement), SHORT_MILLIS);
    }

    /**
     * Returns the keys that heads may be signed with, and the key store's word for signatures;
     * KEYS_UNAVAILABLE when the key store is absent.
     */
    public HeadKeys headKeys() {
        return headKeys(PATIENT_MILLIS);
    }

    /** Returns the same, and hardly waits: for what is tried again later. */
    public HeadKeys headKeysNow() {
        return headKeys(SHORT_MILLIS);
    }

    private HeadKeys headKeys(long millis) {
        return new HeadKeys(
                call(Keys::published, millis),
                (statement, by) ->
                        call(
                                service -> service.verify(KeyPurpose.TAPE_HEAD, statement, by),
                                millis));
    }

    /** Returns the ids of the published keys; empty while no key store tells them. */
    public Optional<Set<String>> publishedNow() {
        if (!keys.isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    call(Keys::published, SHORT_MILLIS).stream()
                            .map(PublishedKey::keyId)
                            .collect(Collectors.toSet()));
        } catch (RuntimeException e) {
            return Optional.empty(); // it went just now, or fails: what needs a signature says so
        }
    }

    private <T> T call(Function<Keys, T> call, long millis) {
        try (Gate.Lease<Keys> lease = keys.lease(millis)) {
            return call.apply(lease.service());
        }
    }
}
