package palyra.config.internal;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A change that a file brought into force, as the journal records it: names only, never values.
 *
 * @param source the file
 * @param target what it configures
 * @param sha256 digest of the file; empty when it was removed
 * @param keys keys whose values changed
 */
record Change(Source.Id source, Target target, String sha256, SortedSet<String> keys) {
    Change {
        keys = Collections.unmodifiableSortedSet(new TreeSet<>(keys));
    }

    boolean removed() {
        return sha256.isEmpty();
    }
}
