package palyra.api.core.access;

import palyra.api.Require;

/** What a person shows to sign in, or to prove again who is there. Text forms hold no secret. */
public sealed interface SignInProof {
    /**
     * A name and a password.
     *
     * @param account name of the account as it was entered
     */
    record Password(String account, String password) implements SignInProof {
        /** Checks. */
        public Password {
            account = Require.orEmpty(account);
            password = Require.orEmpty(password);
        }

        @Override
        public String toString() {
            return "Password[withheld]";
        }
    }

    /**
     * The answer of an authenticator to {@link Accounts#challenge}; every part as the browser gave
     * it, base64url.
     */
    record Passkey(
            String credentialId, String clientData, String authenticatorData, String signature)
            implements SignInProof {
        /** Checks. */
        public Passkey {
            Encoded.require(credentialId, "credential id");
            Encoded.require(clientData, "client data");
            Encoded.require(authenticatorData, "authenticator data");
            Encoded.require(signature, "signature");
        }
    }
}
