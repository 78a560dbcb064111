package palyra.shared.secrets;

/**
 * A place in a text where a secret stands.
 *
 * @param start index of its first character
 * @param end index after its last
 * @param kind what it looks like: lower-case words with hyphens, such as {@code github-pat}
 * @param source name of the kept value that stands there, such as {@code vault:global/token}; empty
 *     for what is found by its looks
 */
public record SecretFind(int start, int end, String kind, String source) {
    /** Creates a place of what is found by its looks. */
    public SecretFind(int start, int end, String kind) {
        this(start, end, kind, "");
    }
}
