package palyra.deploy.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Plans the changes: from the files of the folder, the pins and the deployed bundles to rows for
 * users and changes. Has no side effects.
 *
 * <p>For each bundle name the newest trusted jar that works wins. While none works, the last good
 * bundle stays, as long as its file exists, in any state, and it is still trusted.
 */
final class Planner {
    private final Input input;
    private final SortedMap<String, Row> rows = new TreeMap<>();
    private final Map<String, List<Candidate>> candidates = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final Set<String> chosen = new HashSet<>(); // names of bundles that a file provides

    /**
     * Input of a plan.
     *
     * @param files jars of the folder
     * @param pins all pins
     * @param deployed last good states
     * @param present names of installed bundles of the folder
     * @param failures failures by file
     * @param admission bundles that are never installed
     * @param stamp counts changes of the framework
     * @param removals whether an absent file counts as removed
     * @param nowMillis unix time
     */
    record Input(
            SortedMap<String, DropFile> files,
            PinSet pins,
            Collection<DeployedBundle> deployed,
            Set<String> present,
            Map<String, Failure> failures,
            Function<JarFacts, Optional<BundleRestrictions.Restriction>> admission,
            long stamp,
            boolean removals,
            long nowMillis) {
        Optional<DeployedBundle> good(String symbolicName) {
            return deployed.stream()
                    .filter(one -> one.symbolicName().equals(symbolicName))
                    .findFirst();
        }

        boolean trusts(DeployedBundle one) {
            return pins.covering(one.sha256(), one.signers()).isPresent();
        }
    }

    /** Changes to make, and the state of every file. */
    record Plan(SortedMap<String, Row> rows, List<Change> changes) {}

    private record Candidate(DropFile file, JarFacts facts, PinSet.Entry pin) {}

    private Planner(Input input) {
        this.input = input;
    }

    static Plan plan(Input input) {
        Planner planner = new Planner(input);
        input.files().values().forEach(planner::consider);
        planner.candidates.forEach(planner::choose);
        input.deployed().forEach(planner::keepOrRemove);
        planner.removeUnknown();
        return new Plan(planner.rows, List.copyOf(planner.changes));
    }

    private void consider(DropFile file) {
        switch (file.status()) {
            case SETTLING -> put(Row.of(file, Row.State.SETTLING, "It changed recently.", ""));
            case UNTRUSTED, UNUSABLE ->
                    put(Row.of(file, Row.State.REFUSED, file.reason(), file.remedy()));
            case WHOLE -> admit(file, file.facts().orElseThrow());
        }
    }

    private void put(Row row) {
        rows.put(row.file(), row);
    }

    private void admit(DropFile file, JarFacts facts) {
        Optional<BundleRestrictions.Restriction> objection = input.admission().apply(facts);
        if (objection.isPresent()) {
            put(
                    Row.of(
                            file,
                            Row.State.REFUSED,
                            objection.get().reason(),
                            objection.get().remedy()));
            return;
        }
        PinSet.Cover cover = input.pins().cover(facts, isDeployed(facts), input.nowMillis());
        if (cover.pin().isEmpty()) {
            put(DeployMessages.unpinned(file, facts));
        } else if (cover.outOfTime()) {
            put(DeployMessages.expired(file, facts));
        } else {
            candidates
                    .computeIfAbsent(facts.symbolicName(), n -> new ArrayList<>())
                    .add(new Candidate(file, facts, cover.pin().get()));
        }
    }

    private boolean isDeployed(JarFacts facts) {
        return input.good(facts.symbolicName())
                .map(good -> good.sha256().equals(facts.sha256()))
                .orElse(false);
    }

    private void choose(String name, List<Candidate> of) {
        Optional<DeployedBundle> good = input.good(name);
        String goodFile = good.map(DeployedBundle::file).orElse("");
        of.sort(
                Comparator.comparing((Candidate c) -> c.facts().version())
                        .reversed()
                        .thenComparing(c -> !c.file().name().equals(goodFile))
                        .thenComparing(c -> c.file().name()));
        Candidate winner = null;
        for (Candidate each : of) {
            Failure failure = input.failures().get(each.file().name());
            if (winner != null) {
                put(
                        DeployMessages.superseded(each.file(), winner.file(), winner.facts())
                                .by(each.pin()));
            } else if (failure != null && failure.stillHolds(each.file(), input.stamp())) {
                put(
                        Row.of(each.file(), failure.state(), failure.reason(), failure.remedy())
                                .by(each.pin()));
            } else {
                winner = each;
            }
        }
        if (winner != null) {
            chosen.add(name);
            take(winner, good);
        }
    }

    private void take(Candidate winner, Optional<DeployedBundle> good) {
        JarFacts facts = winner.facts();
        boolean same = good.map(g -> g.sha256().equals(facts.sha256())).orElse(false);
        boolean there = input.present().contains(facts.symbolicName());
        Row.State state = same && there ? Row.State.ACTIVE : Row.State.WAITING;
        String explanation = state == Row.State.WAITING ? "It is being installed." : "";
        put(Row.of(winner.file(), state, explanation, "").by(winner.pin()));
        if (state == Row.State.WAITING) {
            changes.add(
                    Change.put(
                            winner.file().name(),
                            facts,
                            winner.pin().pin().toString(),
                            good.filter(input::trusts).filter(g -> !same),
                            there ? "another content" : "a new bundle"));
        }
    }

    private void keepOrRemove(DeployedBundle good) {
        if (chosen.contains(good.symbolicName())) {
            return;
        }
        DropFile file = input.files().get(good.file());
        boolean there = input.present().contains(good.symbolicName());
        if (file == null) {
            if (input.removals()) {
                remove(good, "its file was removed");
            }
        } else if (holdsOtherBundle(file, good)) {
            remove(good, "its file holds another bundle now");
        } else if (!input.trusts(good)) {
            remove(good, "it is no longer pinned");
        } else {
            rows.computeIfPresent(good.file(), (name, row) -> DeployMessages.lastGood(row, good));
            if (!there && file.status() != DropFile.Status.SETTLING) {
                changes.add(Change.restore(good, input.pins()));
            }
        }
    }

    private boolean holdsOtherBundle(DropFile file, DeployedBundle good) {
        Row row = rows.get(file.name());
        boolean taken = row != null && row.pin().isPresent() && row.state() != Row.State.FAILED;
        return taken
                && file.facts()
                        .map(f -> !f.symbolicName().equals(good.symbolicName()))
                        .orElse(false);
    }

    private void remove(DeployedBundle good, String reason) {
        changes.add(Change.remove(good.symbolicName(), good.file(), reason));
    }

    /** Removes bundles of the folder without a state, which an interrupted change left. */
    private void removeUnknown() {
        for (String name : input.present()) {
            if (!chosen.contains(name) && input.good(name).isEmpty() && input.removals()) {
                changes.add(Change.remove(name, "", "no file provides it"));
            }
        }
    }
}
