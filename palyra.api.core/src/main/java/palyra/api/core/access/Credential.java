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
     * The operating system's word for who is at the other end of a local socket.
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
