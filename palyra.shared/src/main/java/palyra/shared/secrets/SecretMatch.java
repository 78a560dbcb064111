package palyra.shared.secrets;

/**
 * A match: a place in a text with a secret.
 *
 * @param start index of its first character
 * @param end index after its last
 * @param kind what it looks like: lower-case words with hyphens, such as {@code github-pat}
 * @param source name of the vault's value there, such as {@code vault:global/token}; empty for a
 *     secret found by its form
 */
public record SecretMatch(int start, int end, String kind, String source) {
    /** Creates a match of a secret found by its form. */
    public SecretMatch(int start, int end, String kind) {
        this(start, end, kind, "");
    }
}
