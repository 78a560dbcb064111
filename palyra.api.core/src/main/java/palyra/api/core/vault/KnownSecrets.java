package palyra.api.core.vault;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Finds values of kept secrets in text, without keeping or telling them: it works on keyed
 * fingerprints. Thread-safe, never blocks. Values of fewer than 12 bytes, and values that are not
 * random enough to be told from ordinary text, are not looked for. What a call does depends on the
 * text and on the values within the reach, and on no other value.
 */
@ProviderType
public interface KnownSecrets {
    /**
     * A place in a text.
     *
     * @param start index of its first character
     * @param end index after its last
     * @param ref the secret whose value was found
     */
    record Found(int start, int end, SecretRef ref) {}

    /**
     * Returns where values within {@code reach} stand in {@code text}, by start, none overlapping;
     * mostly empty. Of two that begin at one place the longer one counts.
     */
    List<Found> find(CharSequence text, SecretReach reach);

    /**
     * Returns the index from which on {@code text} could be the beginning of a value within {@code
     * reach} whose rest is still to come; the length of the text when its end is the beginning of
     * none. For text that arrives in pieces.
     */
    int safeLength(CharSequence text, SecretReach reach);
}
