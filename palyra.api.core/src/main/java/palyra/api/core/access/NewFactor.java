package palyra.api.core.access;

import palyra.api.Require;

/** A factor that a person chooses. Text forms hold no secret. */
public sealed interface NewFactor {
    /** A password in place of the one before. */
    record Password(String password) implements NewFactor {
        /** Checks. */
        public Password {
            password = Require.orEmpty(password);
        }

        @Override
        public String toString() {
            return "Password[withheld]";
        }
    }

    /**
     * A further passkey: the answer of an authenticator to {@link Accounts#challenge}; the parts as
     * the browser gave them, base64url.
     *
     * @param label what the person calls it
     */
    record Passkey(String label, String clientData, String attestationObject) implements NewFactor {
        /** Checks. */
        public Passkey {
            label = Require.orEmpty(label);
            Encoded.require(clientData, "client data");
            Encoded.require(attestationObject, "attestation object");
        }
    }
}
