package palyra.skills.internal.model;

import java.util.List;
import palyra.api.Require;

/**
 * The capability grants of a skill, from its manifest. Nothing else is linked or allowed.
 *
 * @param httpHosts hosts, each {@code name}, {@code name:port}, or {@code *.name} when the manifest
 *     opted in to wildcards; without a port 80 and 443
 * @param secrets secrets, in the order of their handles
 * @param storage prefixes of its storage, in the order of their handles; each relative, without
 *     {@code ..}
 * @param channels channels that it may send to, such as {@code discord:main}
 * @param readChannels channels of which it may read conversations
 */
public record SkillGrants(
        List<String> httpHosts,
        List<SecretGrant> secrets,
        List<StorageGrant> storage,
        List<String> channels,
        List<String> readChannels) {
    /** Nothing. */
    public static final SkillGrants NONE =
            new SkillGrants(List.of(), List.of(), List.of(), List.of(), List.of());

    /** Copies. */
    public SkillGrants {
        httpHosts = List.copyOf(httpHosts);
        secrets = List.copyOf(secrets);
        storage = List.copyOf(storage);
        channels = List.copyOf(channels);
        readChannels = List.copyOf(readChannels);
    }

    /**
     * A secret.
     *
     * @param scope scope as in the vault; {@code skill:} alone means the skill's own
     * @param key key in the scope
     * @param value whether the skill may read the value itself, rather than have it put into a
     *     request
     * @param hosts hosts that it may be sent to, as entries of {@link SkillGrants#httpHosts}; empty
     *     when it may go to none
     */
    public record SecretGrant(String scope, String key, boolean value, List<String> hosts) {
        /** Checks and copies. */
        public SecretGrant {
            Require.text(scope, "scope of a secret");
            Require.text(key, "key of a secret");
            hosts = List.copyOf(hosts);
        }

        /**
         * Returns the hosts of a secret that names none: the only host that there is. With several,
         * or a wildcard, the host is ambiguous, and the secret may not be sent.
         */
        public static List<String> implied(List<String> httpHosts) {
            return httpHosts.size() == 1 && !httpHosts.getFirst().startsWith("*")
                    ? httpHosts
                    : List.of();
        }
    }

    /**
     * A part of the skill's storage.
     *
     * @param prefix what keys begin with; never empty
     * @param write whether it may be changed
     * @param maxBytes largest total size of the values under the prefix
     */
    public record StorageGrant(String prefix, boolean write, long maxBytes) {
        /** Checks. */
        public StorageGrant {
            Require.text(prefix, "storage prefix");
            Require.that(maxBytes >= 0, "a quota is at least 0");
        }
    }
}
