package palyra.sandbox.posix.internal.spawn;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order in which descriptors of this process become those of a child. One that would be
 * overwritten before its turn, or that has its right number already (dup2(2) would then keep it
 * closed at execution on some systems), first moves out of the way.
 *
 * @param steps what to duplicate, in this order
 * @param holes numbers below the highest target that the child must not have
 * @param first the first number from which on everything is closed
 */
record Duplications(List<Step> steps, List<Integer> holes, int first) {
    /** {@code from} becomes {@code to}. */
    record Step(int from, int to) {}

    /** Plans them; keys are numbers in the child, values numbers here. */
    static Duplications of(Map<Integer, Integer> sourceOf) {
        TreeMap<Integer, Integer> wanted = new TreeMap<>(sourceOf);
        int highest = wanted.lastKey();
        int spare = highest;
        for (int source : wanted.values()) {
            spare = Math.max(spare, source);
        }
        List<Step> away = new ArrayList<>();
        List<Step> home = new ArrayList<>();
        for (Map.Entry<Integer, Integer> entry : wanted.entrySet()) {
            int source = entry.getValue();
            if (source <= highest) {
                spare++;
                away.add(new Step(source, spare));
                source = spare;
            }
            home.add(new Step(source, entry.getKey()));
        }
        away.addAll(home);
        List<Integer> holes = new ArrayList<>();
        for (int number = 0; number < highest; number++) {
            if (!wanted.containsKey(number)) {
                holes.add(number);
            }
        }
        return new Duplications(List.copyOf(away), List.copyOf(holes), highest + 1);
    }
}
