package palyra.shared.secrets;

import java.util.HashMap;
import java.util.Map;

/** Numbers secrets by their first appearance: the same secret has the same number. */
@FunctionalInterface
public interface PlaceholderNumbers {
    /** Returns the number of a literal, from 1. */
    int of(String kind, String literal);

    /** Returns numbers for one text alone. Not thread-safe. */
    static PlaceholderNumbers fresh() {
        Map<String, Integer> numbers = new HashMap<>();
        return (kind, literal) -> numbers.computeIfAbsent(literal, any -> numbers.size() + 1);
    }
}
