package palyra.api.core.access;

import palyra.api.Require;

/** What a caller shows. Text forms never contain the secret. */
public sealed interface Credential {
    /**
     * An API token as it was sent.
     *
     * @param secret the whole token, {@code palyra_…}
     */
    record ApiToken(String secret) implements Credential {
        /** Checks. */
        public ApiToken {
            Require.present(secret, "API token");
        }

        @Override
        public String toString() {
            return "ApiToken[secret withheld]";
        }
    }

    /**
     * The certificate of a TLS client, whose chain was verified by the server that accepted the
     * connection.
     *
     * @param sha256 SHA-256 of its DER form, lower-case hex
     * @param subject subject as in RFC 2253; for people to read, never compared
     */
    record ClientCertificate(String sha256, String subject) implements Credential {
        /** Checks. */
        public ClientCertificate {
            Require.that(
                    sha256 != null && sha256.matches("[0-9a-f]{64}"),
                    "the fingerprint of a certificate is 64 digits of lower-case hex");
            subject = Require.orEmpty(subject);
        }
    }

    /**
     * The peer of a local socket, as the operating system reports it.
     *
     * @param user user name; never empty
     * @param uid numeric user id; -1 when the platform does not say
     */
    record LocalPeer(String user, long uid) implements Credential {
        /** Checks. */
        public LocalPeer {
            Require.text(user, "peer user");
        }
    }
}
