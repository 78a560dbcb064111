package palyra.config.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * State after the last poll. Immutable.
 *
 * @param sources all sources, valid or not
 * @param settings settings in force, with the source of each value
 * @param problems current problems
 */
record ConfigurationView(
        List<Source> sources,
        SortedMap<Target, Map<String, ConfigurationReconciler.Setting>> settings,
        List<Problem> problems) {
    static final ConfigurationView NOTHING =
            new ConfigurationView(List.of(), new TreeMap<>(), List.of());

    ConfigurationView {
        sources = List.copyOf(sources);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        problems = List.copyOf(problems);
    }

    /** Returns this view with further problems. */
    ConfigurationView with(List<Problem> further) {
        if (further.isEmpty()) {
            return this;
        }
        List<Problem> all = new ArrayList<>(problems);
        all.addAll(further);
        return new ConfigurationView(sources, settings, all);
    }

    /** Returns the sources of a target, lowest layer first. */
    List<Source> sourcesOf(Target target) {
        return sources.stream()
                .filter(s -> s.target().equals(target))
                .sorted(Comparator.comparing(Source::id))
                .toList();
    }

    /** Returns the problems of a target. */
    List<Problem> problemsOf(Target target) {
        return problems.stream().filter(p -> p.target().equals(target.toString())).toList();
    }
}
