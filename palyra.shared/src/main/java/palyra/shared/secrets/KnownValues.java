package palyra.shared.secrets;

import java.util.List;

/** Finds values that are known to be secret, whatever they look like. Thread-safe. */
public interface KnownValues {
    /** Knows none. */
    KnownValues NONE =
            new KnownValues() {
                @Override
                public List<SecretFind> find(CharSequence text) {
                    return List.of();
                }

                @Override
                public int safeLength(CharSequence text) {
                    return text.length();
                }
            };

    /** Returns where values stand in {@code text}, by start, none overlapping; mostly empty. */
    List<SecretFind> find(CharSequence text);

    /**
     * Returns the index from which on {@code text} could be the beginning of a value whose rest is
     * still to come; the length of the text when its end is the beginning of none.
     */
    int safeLength(CharSequence text);
}
