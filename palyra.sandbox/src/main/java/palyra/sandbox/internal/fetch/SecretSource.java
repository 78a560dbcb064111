package palyra.sandbox.internal.fetch;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Where the values of {@code vault:SCOPE/NAME} come from. Thread-safe. */
interface SecretSource {
    /** There is no vault: nothing is known, and every question is refused. */
    SecretSource NONE =
            new SecretSource() {
                @Override
                public boolean available() {
                    return false;
                }

                @Override
                public String value(String reference, String principal) {
                    throw new PalyraException(
                            ErrorCode.DENIED,
                            "The secret "
                                    + reference
                                    + " was asked for, but this gateway has no vault; leave"
                                    + " secret_headers out.");
                }
            };

    /** Returns whether secrets can be had at all. */
    boolean available();

    /**
     * Returns the value of a secret, for use at once.
     *
     * @param reference {@code vault:SCOPE/NAME}
     * @param principal on whose behalf
     * @throws PalyraException DENIED or NOT_FOUND; the message never holds the value
     */
    String value(String reference, String principal);
}
