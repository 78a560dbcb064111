package palyra.config.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import palyra.api.core.ops.Finding;

/**
 * Computes the steps from the configuration in force to the sources of all layers. Does not apply
 * them: the caller reports an applied step by {@link #done}; other steps are planned again. Not
 * thread-safe.
 */
final class ConfigurationReconciler {
    private final Map<Source.Id, Accepted> good = new HashMap<>();
    private final Map<Target, Map<String, Object>> inForce = new HashMap<>();
    private final Set<Target> inherited = new HashSet<>();
    private final Map<Source, String> refusals = new HashMap<>(); // reasons of components
    private final Function<Source, Optional<Source>> lastGood;

    /**
     * Begins with nothing in force.
     *
     * @param lastGood returns a source as it was last in force before the start
     */
    ConfigurationReconciler(Function<Source, Optional<Source>> lastGood) {
        this.lastGood = lastGood;
    }

    /** A source with valid content. */
    record Accepted(Source source, Map<String, Object> values) {}

    /**
     * A setting in force.
     *
     * @param value the value
     * @param from the source of the value
     */
    record Setting(Object value, Source.Id from) {}

    /**
     * One change to apply.
     *
     * @param target target of the configuration
     * @param values its whole new configuration; empty means that it is to be deleted
     * @param accepted the sources of the values
     * @param changes changes by source, for the journal
     */
    record Step(
            Target target,
            Optional<Map<String, Object>> values,
            List<Accepted> accepted,
            List<Change> changes) {}

    /** Steps to apply and current problems. */
    record Plan(List<Step> steps, List<Problem> problems) {}

    /**
     * Adopts the configurations that an earlier start of this bundle left in force, so that an
     * invalid file does not remove them.
     */
    void inherit(Set<Target> targets) {
        inherited.addAll(targets);
        targets.forEach(t -> inForce.put(t, Map.of()));
    }

    /**
     * A component refused a configuration: what differs from its last good state counts as invalid
     * until it changes.
     *
     * @return whether anything differs; otherwise there is nothing to go back to
     */
    boolean refuse(Target target, String reason) {
        List<Source> differing =
                goodOf(target).values().stream()
                        .map(Accepted::source)
                        .filter(now -> lastGood.apply(now).filter(o -> !o.equals(now)).isPresent())
                        .toList();
        differing.forEach(source -> refusals.put(source, reason));
        return !differing.isEmpty();
    }

    Plan plan(List<Source> sources, Catalogue catalogue) {
        refusals.keySet().retainAll(sources);
        List<Step> steps = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (Target target : targets(sources)) {
            List<Source> present =
                    sources.stream()
                            .filter(s -> s.target().equals(target))
                            .sorted(byLayer())
                            .toList();
            plan(target, present, catalogue.schema(target.pid()), problems).ifPresent(steps::add);
        }
        return new Plan(List.copyOf(steps), List.copyOf(problems));
    }

    private static Comparator<Source> byLayer() {
        return Comparator.comparing(Source::id);
    }

    private Set<Target> targets(List<Source> sources) {
        Set<Target> all = new TreeSet<>(inForce.keySet());
        sources.forEach(s -> all.add(s.target()));
        return all;
    }

    private Optional<Step> plan(
            Target target, List<Source> present, Optional<Schema> schema, List<Problem> problems) {
        List<Accepted> next = new ArrayList<>();
        boolean allKnown = true;
        for (Source source : present) {
            Optional<Accepted> accepted = accept(source, schema, problems);
            accepted.ifPresent(next::add);
            allKnown &= accepted.isPresent();
        }
        if (!allKnown && inherited.contains(target)) {
            return Optional.empty();
        }
        if (next.isEmpty()) {
            return inForce.containsKey(target)
                    ? Optional.of(new Step(target, Optional.empty(), next, changes(target, next)))
                    : Optional.empty();
        }
        Map<String, Object> merged = merge(next);
        if (schema.isPresent() && !complete(target, schema.get(), merged, problems)) {
            return Optional.empty();
        }
        List<Change> changes = changes(target, next);
        return changes.isEmpty() && merged.equals(inForce.get(target))
                ? Optional.empty()
                : Optional.of(new Step(target, Optional.of(merged), next, changes));
    }

    /** Returns the source, or its last good state when it is not acceptable now. */
    private Optional<Accepted> accept(
            Source source, Optional<Schema> schema, List<Problem> problems) {
        Accepted before = good.get(source.id());
        if (schema.isEmpty()) {
            boolean unchanged = before != null && before.source().equals(source);
            problems.add(undeclared(source, unchanged));
            return Optional.ofNullable(before);
        }
        ConfigurationValidator.Validation checked =
                ConfigurationValidator.check(source, schema.get());
        if (checked.good() && refusals.containsKey(source)) {
            problems.add(refused(source));
            return beforeTheStart(source, schema.get());
        }
        if (checked.good()) {
            return Optional.of(new Accepted(source, checked.values()));
        }
        problems.addAll(checked.problems());
        return Optional.ofNullable(before).or(() -> beforeTheStart(source, schema.get()));
    }

    private Optional<Accepted> beforeTheStart(Source source, Schema schema) {
        return lastGood.apply(source)
                .flatMap(
                        old -> {
                            ConfigurationValidator.Validation checked =
                                    ConfigurationValidator.check(old, schema);
                            return checked.good()
                                    ? Optional.of(new Accepted(old, checked.values()))
                                    : Optional.empty();
                        });
    }

    private Problem refused(Source source) {
        return Problem.error(
                source.target().toString(),
                source.id() + ": " + refusals.get(source),
                "Correct it; the change applies automatically, and the last good state is in force"
                        + " until then.");
    }

    private static Problem undeclared(Source source, boolean inForceAlready) {
        String pid = source.target().pid();
        return inForceAlready
                ? new Problem(
                        source.target().toString(),
                        Finding.Severity.WARNING,
                        source.id()
                                + ": no bundle declares PID "
                                + pid
                                + " any more; it stays in force.",
                        "Remove the file if the bundle is gone for good.")
                : Problem.error(
                        source.target().toString(),
                        source.id()
                                + ": no bundle declares PID "
                                + pid
                                + "; it will be applied when one does.",
                        "Check the file's name, or install the bundle.");
    }

    private static boolean complete(
            Target target, Schema schema, Map<String, Object> merged, List<Problem> problems) {
        List<String> missing =
                schema.attributes().values().stream()
                        .filter(a -> a.required() && !merged.containsKey(a.id()))
                        .map(a -> "'" + a.id() + "' (" + a.allowed() + ")")
                        .toList();
        if (missing.isEmpty()) {
            return true;
        }
        problems.add(
                Problem.error(
                        target.toString(),
                        target
                                + ": required but missing in every file: "
                                + String.join(", ", missing)
                                + ".",
                        "Add the missing keys to the operator file " + target.fileName() + "."));
        return false;
    }

    private static Map<String, Object> merge(List<Accepted> layers) {
        Map<String, Object> merged = new TreeMap<>();
        layers.forEach(layer -> merged.putAll(layer.values()));
        return Map.copyOf(merged);
    }

    private List<Change> changes(Target target, List<Accepted> next) {
        List<Change> changes = new ArrayList<>();
        Map<Source.Id, Accepted> before = goodOf(target);
        for (Accepted now : next) {
            Accepted old = before.remove(now.source().id());
            boolean same = old != null && old.source().sha256().equals(now.source().sha256());
            if (!same) {
                Map<String, Object> oldValues = old == null ? Map.of() : old.values();
                changes.add(
                        new Change(
                                now.source().id(),
                                target,
                                now.source().sha256(),
                                differing(oldValues, now.values())));
            }
        }
        before.forEach(
                (id, old) ->
                        changes.add(
                                new Change(id, target, "", new TreeSet<>(old.values().keySet()))));
        return List.copyOf(changes);
    }

    private static SortedSet<String> differing(
            Map<String, Object> before, Map<String, Object> now) {
        SortedSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(now.keySet());
        keys.removeIf(key -> Objects.equals(before.get(key), now.get(key)));
        return keys;
    }

    private Map<Source.Id, Accepted> goodOf(Target target) {
        Map<Source.Id, Accepted> of = new TreeMap<>();
        good.forEach(
                (id, accepted) -> {
                    if (accepted.source().target().equals(target)) {
                        of.put(id, accepted);
                    }
                });
        return of;
    }

    /** Returns the sources of what is in force of a target. */
    List<Source> sources(Target target) {
        return goodOf(target).values().stream().map(Accepted::source).toList();
    }

    /** Marks a step of the last plan as applied. */
    void done(Step step) {
        good.values().removeIf(a -> a.source().target().equals(step.target()));
        step.accepted().forEach(a -> good.put(a.source().id(), a));
        inherited.remove(step.target());
        step.values()
                .ifPresentOrElse(
                        values -> inForce.put(step.target(), values),
                        () -> inForce.remove(step.target()));
    }

    /** Returns every setting in force with the source of the value. */
    Map<Target, Map<String, Setting>> settings() {
        Map<Target, Map<String, Setting>> all = new TreeMap<>();
        good.values().stream()
                .sorted(Comparator.comparing(a -> a.source().id()))
                .forEach(
                        accepted -> {
                            Map<String, Setting> of =
                                    all.computeIfAbsent(
                                            accepted.source().target(), t -> new TreeMap<>());
                            accepted.values()
                                    .forEach(
                                            (key, value) ->
                                                    of.put(
                                                            key,
                                                            new Setting(
                                                                    value,
                                                                    accepted.source().id())));
                        });
        return all;
    }
}
