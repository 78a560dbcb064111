package palyra.config.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * Configurations that were applied and are not yet known to be good: that shows in what their
 * components make of them. Counts in polls. Not thread-safe.
 */
final class Probation {
    /** A component that failed under the previous configuration is tried again before. */
    private static final int LEAST_TO_REFUSE = 3;

    private static final int LEAST_TO_KEEP = 10;

    private final ComponentOutcomes outcomes;
    private final Map<Target, Integer> polls = new HashMap<>();

    Probation(ComponentOutcomes outcomes) {
        this.outcomes = outcomes;
    }

    /** A configuration was applied. */
    void begin(Target target) {
        polls.put(target, 0);
    }

    /**
     * Looks at every configuration once more.
     *
     * @param recorded whether every change is in the journal; before, none counts as good
     * @param good told of each that its components took; it is not looked at again
     * @param refuse told of each that a component refused, with the reason; returns whether there
     *     is an older one, which then has to be applied
     * @return whether an older one has to be applied
     */
    boolean look(boolean recorded, Consumer<Target> good, BiPredicate<Target, String> refuse) {
        List<Target> over = new ArrayList<>();
        boolean refused = false;
        for (Map.Entry<Target, Integer> each : polls.entrySet()) {
            Target target = each.getKey();
            each.setValue(Math.min(each.getValue() + 1, LEAST_TO_KEEP));
            if (outcomes.refused(target) && each.getValue() >= LEAST_TO_REFUSE) {
                refused |= refuse.test(target, outcomes.refusal(target));
            } else if (each.getValue() == LEAST_TO_KEEP && recorded && outcomes.taken(target)) {
                over.add(target);
            }
        }
        over.forEach(polls::remove);
        over.forEach(good);
        return refused;
    }
}
