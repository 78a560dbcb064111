package palyra.sandbox.internal.fetch;

import palyra.api.core.vault.Secret;
import palyra.shared.vault.SecretUse;

/** Where the values of {@code vault:SCOPE/KEY} come from. Thread-safe. */
public interface SecretSource {
    /** Returns whether secrets can be had at all; one that is away for a moment counts. */
    boolean available();

    /**
     * Lends a secret; close it when it was used.
     *
     * @throws PalyraException DENIED, NOT_FOUND or KEYS_UNAVAILABLE; the message never holds the
     *     value
     */
    Secret lend(SecretUse use);
}
