package palyra.testing.vault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;

/** Finds given values as they are, each once in a text, within the reach. Thread-safe. */
public final class FakeKnownSecrets implements KnownSecrets {
    private final Map<SecretRef, String> values = new ConcurrentHashMap<>();

    /**
     * Knows a value from now on.
     *
     * @param name such as {@code vault:global/token}
     */
    public FakeKnownSecrets knowing(String name, String value) {
        values.put(SecretRef.parse(name), value);
        return this;
    }

    private Map<SecretRef, String> within(SecretReach reach) {
        Map<SecretRef, String> within = new LinkedHashMap<>(values);
        within.keySet().removeIf(ref -> !reach.covers(ref));
        return within;
    }

    @Override
    public List<Found> find(CharSequence text, SecretReach reach) {
        List<Found> found = new ArrayList<>();
        within(reach)
                .forEach(
                        (ref, value) -> {
                            int at = text.toString().indexOf(value);
                            if (at >= 0) {
                                found.add(new Found(at, at + value.length(), ref));
                            }
                        });
        found.sort(Comparator.comparingInt(Found::start));
        return found;
    }

    @Override
    public int safeLength(CharSequence text, SecretReach reach) {
        for (int i = 0; i < text.length(); i++) {
            String end = text.subSequence(i, text.length()).toString();
            if (within(reach).values().stream()
                    .anyMatch(value -> value.length() > end.length() && value.startsWith(end))) {
                return i;
            }
        }
        return text.length();
    }
}
