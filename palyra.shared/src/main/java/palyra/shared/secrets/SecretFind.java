package palyra.shared.secrets;

/**
 * A place in a text where a secret stands.
 *
 * @param start index of its first character
 * @param end index after its last
 * @param kind what it looks like: lower-case words with hyphens, such as {@code github-pat}
 */
public record SecretFind(int start, int end, String kind) {}
