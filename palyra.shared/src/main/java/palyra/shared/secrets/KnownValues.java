package palyra.shared.secrets;

import java.util.List;

/** Finds values that are known to be secret, of any form. Thread-safe. */
public interface KnownValues {
    /** Knows none. */
    KnownValues NONE =
            new KnownValues() {
                @Override
                public List<SecretMatch> find(CharSequence text) {
                    return List.of();
                }

                @Override
                public int safeLength(CharSequence text) {
                    return text.length();
                }
            };

    /** Returns the matches in {@code text}, by start, without overlaps; mostly empty. */
    List<SecretMatch> find(CharSequence text);

    /**
     * Returns the index from which on {@code text} could be the beginning of a value whose rest is
     * still to come; the length of the text when its end is the beginning of none.
     */
    int safeLength(CharSequence text);
}
