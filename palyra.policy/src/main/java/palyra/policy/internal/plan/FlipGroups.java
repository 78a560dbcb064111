package palyra.policy.internal.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls that would have ended otherwise, grouped. Bounded: beyond that, groups lose detail. */
final class FlipGroups {
    static final int MOST_GROUPS = 1_000;
    static final int EXAMPLES = 3;
    static final String OTHERS = "(others)";

    private final Map<PlanReport.Group, Tally> groups = new LinkedHashMap<>();

    private static final class Tally {
        long count;
        long already;
        final List<PlanReport.Example> examples = new ArrayList<>();
    }

    void add(PlanReport.Group group, boolean already, PlanReport.Example example) {
        Tally tally = groups.get(group);
        if (tally == null) {
            PlanReport.Group kept = groups.size() < MOST_GROUPS ? group : coarse(group);
            tally = groups.computeIfAbsent(kept, key -> new Tally());
        }
        tally.count++;
        tally.already += already ? 1 : 0;
        if (tally.examples.size() < EXAMPLES) {
            tally.examples.add(example);
        }
    }

    private static PlanReport.Group coarse(PlanReport.Group group) {
        return new PlanReport.Group(group.from(), group.to(), OTHERS, OTHERS, OTHERS, OTHERS);
    }

    /** Returns them, the largest group first. */
    List<PlanReport.Flip> list() {
        return groups.entrySet().stream()
                .map(
                        entry ->
                                new PlanReport.Flip(
                                        entry.getKey(),
                                        entry.getValue().count,
                                        entry.getValue().already,
                                        entry.getValue().examples))
                .sorted(Comparator.comparingLong(PlanReport.Flip::count).reversed())
                .toList();
    }
}
