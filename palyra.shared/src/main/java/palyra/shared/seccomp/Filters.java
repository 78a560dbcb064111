package palyra.shared.seccomp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Filters that were assembled once and are used again; they never change. Thread-safe. */
public final class Filters {
    private final Map<Key, SeccompFilter> made = new ConcurrentHashMap<>();

    private record Key(Profile profile, Architecture architecture) {}

    /** Returns the filter of a profile for a processor. */
    public SeccompFilter of(Profile profile, Architecture architecture) {
        return made.computeIfAbsent(
                new Key(profile, architecture),
                key -> SeccompFilter.of(key.profile(), key.architecture()));
    }
}
