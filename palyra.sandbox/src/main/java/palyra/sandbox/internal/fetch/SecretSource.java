package palyra.sandbox.internal.fetch;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.vault.Secret;
import palyra.shared.vault.SecretUse;

/** Where the values of {@code vault:SCOPE/KEY} come from. Thread-safe. */
public interface SecretSource {
    /** There is no vault: nothing is known, and every question is refused. */
    SecretSource NONE =
            new SecretSource() {
                @Override
                public boolean available() {
                    return false;
                }

                @Override
                public Secret lend(SecretUse use) {
                    throw new PalyraException(
                            ErrorCode.DENIED,
                            "The secret "
                                    + use.ref()
                                    + " was asked for, but this gateway has no vault; leave"
                                    + " secret_headers out.");
                }
            };

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
