package palyra.api.core.vault;

import palyra.api.Require;

/**
 * Names a secret: a scope and a key within it, written {@code vault:SCOPE/KEY}.
 *
 * @param scope {@code global}, {@code principal:ID}, {@code agent:ID}, {@code channel:NAME:ACCOUNT}
 *     or {@code skill:ID}; each part of a scope has 1 to 256 characters of {@code [A-Za-z0-9._@-]},
 *     and the id of a principal may have colons as well
 * @param key 1 to 128 characters of {@code [A-Za-z0-9._-]}
 */
public record SecretRef(String scope, String key) {
    /** How a reference begins where a literal value could stand too. */
    public static final String PREFIX = "vault:";

    /** The scope without an owner. */
    public static final String GLOBAL = "global";

    private static final String PART = "[A-Za-z0-9._@-]{1,256}";
    private static final String SCOPES =
            GLOBAL
                    + "|principal:[A-Za-z0-9._:@-]{1,256}|agent:"
                    + PART
                    + "|channel:"
                    + PART
                    + ":"
                    + PART
                    + "|skill:"
                    + PART;

    /** Checks. */
    public SecretRef {
        Require.that(
                scope != null && scope.matches(SCOPES),
                "scope '"
                        + scope
                        + "' is not usable: global, principal:ID, agent:ID,"
                        + " channel:NAME:ACCOUNT or skill:ID");
        Require.that(
                key != null && key.matches("[A-Za-z0-9._-]{1,128}"),
                "key '" + key + "' is not usable: 1 to 128 of letters, digits and . _ -");
    }

    /**
     * Reads {@code vault:SCOPE/KEY} or {@code SCOPE/KEY}.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT for anything else; the message repeats
     *     nothing of a text that has no slash, because it may be a secret
     */
    public static SecretRef parse(String text) {
        String rest = Require.orEmpty(text);
        if (rest.startsWith(PREFIX)) {
            rest = rest.substring(PREFIX.length());
        }
        int slash = rest.indexOf('/');
        Require.that(
                slash > 0,
                "a secret is named vault:SCOPE/KEY, such as vault:global/openai_api_key");
        return new SecretRef(rest.substring(0, slash), rest.substring(slash + 1));
    }

    /** Returns whether a text has the prefix of a reference. */
    public static boolean isReference(String text) {
        return text != null && text.startsWith(PREFIX);
    }

    /** Returns the principal that the secret belongs to; empty for one of another scope. */
    public String owner() {
        return scope.startsWith("principal:") ? scope.substring("principal:".length()) : "";
    }

    /** Returns the name of the resource in policy requests: {@code vault:SCOPE/KEY}. */
    public String resource() {
        return toString();
    }

    /** Returns {@code vault:SCOPE/KEY}. */
    @Override
    public String toString() {
        return PREFIX + scope + "/" + key;
    }
}
