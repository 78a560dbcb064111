package palyra.lib.cedar.internal.engine;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.PolicySetLimits;

/**
 * Counts pairs of entity and ancestor: Cedar writes all of them out. Parents come before children,
 * so that one round is enough; only cycles, which native code refuses later, take a few more.
 */
final class Ancestors {
    private static final int ROUNDS = 20;
    private static final int[] NONE = {};

    private final BitSet[] reach;
    private final int[][] parents;
    private long unknown;

    Ancestors(Map<String, Integer> numbers, List<?> entities) {
        reach = new BitSet[numbers.size()];
        parents = new int[numbers.size()][];
        for (Object entity : entities) {
            if (entity instanceof Map<?, ?> members
                    && members.get("parents") instanceof List<?> list) {
                parents[numbers.get(Entities.key(members.get("uid")))] = known(numbers, list);
                unknown += list.size();
            }
        }
    }

    private static int[] known(Map<String, Integer> numbers, List<?> parents) {
        return parents.stream()
                .map(Entities::key)
                .filter(numbers::containsKey)
                .mapToInt(numbers::get)
                .toArray();
    }

    /** Returns how many pairs there are; more than the limit as soon as it is passed. */
    long count() {
        int[] order = parentsFirst();
        long pairs = unknown;
        boolean changed = true;
        for (int round = 0; changed && pairs <= PolicySetLimits.STANDARD.ancestors(); round++) {
            if (round == ROUNDS) {
                return PolicySetLimits.STANDARD.ancestors() + 1;
            }
            changed = false;
            pairs = unknown;
            for (int i = 0;
                    i < order.length && pairs <= PolicySetLimits.STANDARD.ancestors();
                    i++) {
                changed |= grow(order[i]);
                pairs += reach[order[i]] == null ? 0 : reach[order[i]].cardinality();
            }
        }
        return pairs;
    }

    private boolean grow(int entity) {
        if (parentsOf(entity).length == 0) {
            return false;
        }
        BitSet now = reach[entity] == null ? new BitSet() : reach[entity];
        int before = now.cardinality();
        for (int parent : parentsOf(entity)) {
            now.set(parent);
            if (reach[parent] != null) {
                now.or(reach[parent]);
            }
        }
        reach[entity] = now;
        return now.cardinality() != before;
    }

    private int[] parentsOf(int entity) {
        return parents[entity] == null ? NONE : parents[entity];
    }

    /** Depth first without recursion: chains may be long. */
    private int[] parentsFirst() {
        int[] order = new int[parents.length];
        int[] seen = new int[parents.length];
        int done = 0;
        Deque<Integer> path = new ArrayDeque<>();
        for (int start = 0; start < parents.length; start++) {
            if (seen[start] == 0) {
                seen[start] = 1;
                path.push(start);
            }
            while (!path.isEmpty()) {
                int entity = path.peek();
                int[] above = parentsOf(entity);
                int next = seen[entity] - 1;
                if (next == above.length) {
                    order[done++] = path.pop();
                } else {
                    seen[entity]++;
                    if (seen[above[next]] == 0) {
                        seen[above[next]] = 1;
                        path.push(above[next]);
                    }
                }
            }
        }
        return order;
    }
}
