package palyra.vault.internal.known;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The forms of some values by their beginnings. Reading never waits; changes are for one thread at
 * a time.
 */
final class ValueIndex {
    private final Map<Long, List<Form>> heads = new ConcurrentHashMap<>();

    /** How many forms begin so, for beginnings shorter than {@link Forms#HEAD}. */
    private final List<Map<Long, AtomicInteger>> beginnings = new ArrayList<>();

    private volatile int longest;

    ValueIndex() {
        for (int i = 0; i < Forms.HEAD; i++) {
            beginnings.add(new ConcurrentHashMap<>());
        }
    }

    void add(Form form) {
        longest = Math.max(longest, form.length());
        heads.merge(
                form.head(),
                List.of(form),
                (old, more) -> {
                    List<Form> all = new ArrayList<>(old);
                    all.addAll(more);
                    all.sort((a, b) -> Integer.compare(b.length(), a.length())); // longest first
                    return List.copyOf(all);
                });
        count(form.beginnings(), 1);
    }

    void remove(Form form) {
        heads.computeIfPresent(
                form.head(),
                (key, all) -> {
                    List<Form> rest = new ArrayList<>(all);
                    rest.remove(form); // equal only to itself: it has an array
                    return rest.isEmpty() ? null : List.copyOf(rest);
                });
        count(form.beginnings(), -1);
    }

    private void count(long[] values, int by) {
        for (int i = 1; i < values.length; i++) {
            beginnings
                    .get(i)
                    .compute(
                            values[i],
                            (key, count) -> {
                                AtomicInteger known = count == null ? new AtomicInteger() : count;
                                return known.addAndGet(by) > 0 ? known : null;
                            });
        }
    }

    boolean isEmpty() {
        return heads.isEmpty();
    }

    /** Returns the most characters that a form ever had. */
    int longest() {
        return longest;
    }

    /** Returns the forms whose first {@link Forms#HEAD} characters have a fingerprint. */
    List<Form> startingWith(long head) {
        return heads.getOrDefault(head, List.of());
    }

    /** Returns whether a form begins with fewer than {@link Forms#HEAD} characters. */
    boolean beginsWith(int length, long fingerprint) {
        return beginnings.get(length).containsKey(fingerprint);
    }
}
