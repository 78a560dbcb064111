package palyra.api.core.vault;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Finds values of kept secrets in text, without keeping or telling them: it works on keyed
 * fingerprints. Thread-safe, never blocks. Values of fewer than 8 bytes are not looked for: they
 * would be found in ordinary text.
 */
@ProviderType
public interface KnownSecrets {
    /**
     * A place in a text.
     *
     * @param start index of its first character
     * @param end index after its last
     * @param ref whose value stands there
     */
    record Found(int start, int end, SecretRef ref) {}

    /** Returns where values stand in {@code text}, by start, none overlapping; mostly empty. */
    List<Found> find(CharSequence text);

    /**
     * Returns the index from which on {@code text} could be the beginning of a value whose rest is
     * still to come; the length of the text when its end is the beginning of none. For text that
     * arrives in pieces.
     */
    int safeLength(CharSequence text);
}
