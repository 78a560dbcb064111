package palyra.vault.internal.store;

import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;

/** One change of a store. */
public sealed interface Change {
    /**
     * A secret is kept, in place of what there is of that name.
     *
     * @param content what its file will hold
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Put(SecretInfo info, byte[] content) implements Change {}

    /** A secret is forgotten. */
    record Remove(SecretRef ref) implements Change {}
}
