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
 * Decides what the folder asks for: what lies there, what is trusted and what is in force go in,
 * rows for people and changes come out. Does nothing itself.
 *
 * <p>For each bundle name the newest trusted jar that works wins. While none of them works, what is
 * known to be good stays, as long as the file that it came from is there in whatever state and it
 * is still trusted.
 */
final class Planner {
    private final World world;
    private final SortedMap<String, Row> rows = new TreeMap<>();
    private final Map<String, List<Candidate>> candidates = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final Set<String> chosen = new HashSet<>(); // names of bundles that a file stands for

    /**
     * Everything that a decision depends on.
     *
     * @param files jars of the folder
     * @param pins what is trusted
     * @param deployed what is known to be good
     * @param present names of our bundles in the framework
     * @param failures what did not work, by file
     * @param admission what is never taken
     * @param stamp counts changes of the framework
     * @param removals whether a file that is away may be taken for removed
     * @param nowMillis unix time
     */
    record World(
            SortedMap<String, DropFile> files,
            PinSet pins,
            Collection<Deployed> deployed,
            Set<String> present,
            Map<String, Failure> failures,
            Function<JarFacts, Optional<Admission.Objection>> admission,
            long stamp,
            boolean removals,
            long nowMillis) {
        Optional<Deployed> good(String symbolicName) {
            return deployed.stream()
                    .filter(one -> one.symbolicName().equals(symbolicName))
                    .findFirst();
        }

        boolean trusts(Deployed one) {
            return pins.covering(one.sha256(), one.signers()).isPresent();
        }
    }

    /** What is to be done, and how every file stands. */
    record Plan(SortedMap<String, Row> rows, List<Change> changes) {}

    private record Candidate(DropFile file, JarFacts facts, PinSet.Entry pin) {}

    private Planner(World world) {
        this.world = world;
    }

    static Plan plan(World world) {
        Planner planner = new Planner(world);
        world.files().values().forEach(planner::look);
        planner.candidates.forEach(planner::choose);
        world.deployed().forEach(planner::keepOrRemove);
        planner.removeStrangers();
        return new Plan(planner.rows, List.copyOf(planner.changes));
    }

    private void look(DropFile file) {
        switch (file.status()) {
            case SETTLING -> put(Row.of(file, Row.State.SETTLING, "It changed a moment ago.", ""));
            case UNTRUSTED, UNUSABLE ->
                    put(Row.of(file, Row.State.REFUSED, file.reason(), file.remedy()));
            case WHOLE -> admit(file, file.facts().orElseThrow());
        }
    }

    private void put(Row row) {
        rows.put(row.file(), row);
    }

    private void admit(DropFile file, JarFacts facts) {
        Optional<Admission.Objection> objection = world.admission().apply(facts);
        if (objection.isPresent()) {
            put(
                    Row.of(
                            file,
                            Row.State.REFUSED,
                            objection.get().reason(),
                            objection.get().remedy()));
            return;
        }
        Optional<PinSet.Entry> pin =
                world.pins().covering(facts.sha256(), facts.signers().keySet());
        if (pin.isEmpty()) {
            put(DeployMessages.unpinned(file, facts));
        } else if (expired(facts, pin.get())) {
            put(DeployMessages.expired(file, facts));
        } else {
            candidates
                    .computeIfAbsent(facts.symbolicName(), n -> new ArrayList<>())
                    .add(new Candidate(file, facts, pin.get()));
        }
    }

    /** What was taken while the certificate was valid stays in force. */
    private boolean expired(JarFacts facts, PinSet.Entry pin) {
        boolean known =
                world.good(facts.symbolicName())
                        .map(good -> good.sha256().equals(facts.sha256()))
                        .orElse(false);
        return pin.pin().kind() == Pin.Kind.SIGNER
                && !known
                && !facts.signers().get(pin.pin().hex()).validAt(world.nowMillis());
    }

    private void choose(String name, List<Candidate> of) {
        Optional<Deployed> good = world.good(name);
        String goodFile = good.map(Deployed::file).orElse("");
        of.sort(
                Comparator.comparing((Candidate c) -> c.facts().version())
                        .reversed()
                        .thenComparing(c -> !c.file().name().equals(goodFile))
                        .thenComparing(c -> c.file().name()));
        Candidate winner = null;
        for (Candidate each : of) {
            Failure failure = world.failures().get(each.file().name());
            if (winner != null) {
                put(
                        DeployMessages.superseded(each.file(), winner.file(), winner.facts())
                                .by(each.pin()));
            } else if (failure != null && failure.stillHolds(each.file(), world.stamp())) {
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

    private void take(Candidate winner, Optional<Deployed> good) {
        JarFacts facts = winner.facts();
        boolean same = good.map(g -> g.sha256().equals(facts.sha256())).orElse(false);
        boolean there = world.present().contains(facts.symbolicName());
        Row.State state = same && there ? Row.State.ACTIVE : Row.State.WAITING;
        put(Row.of(winner.file(), state, "", "").by(winner.pin()));
        if (state == Row.State.WAITING) {
            changes.add(
                    Change.put(
                            winner.file().name(),
                            facts,
                            winner.pin().pin().toString(),
                            good.filter(world::trusts).filter(g -> !same),
                            there ? "another content" : "a new bundle"));
        }
    }

    private void keepOrRemove(Deployed good) {
        if (chosen.contains(good.symbolicName())) {
            return;
        }
        DropFile file = world.files().get(good.file());
        boolean there = world.present().contains(good.symbolicName());
        if (file == null) {
            if (world.removals()) {
                remove(good, "its file was removed");
            }
        } else if (holdsAnother(file, good)) {
            remove(good, "its file holds another bundle now");
        } else if (!world.trusts(good)) {
            remove(good, "it is no longer pinned");
        } else {
            rows.computeIfPresent(good.file(), (name, row) -> DeployMessages.lastGood(row, good));
            if (!there && file.status() != DropFile.Status.SETTLING) {
                changes.add(Change.restore(good, world.pins()));
            }
        }
    }

    private boolean holdsAnother(DropFile file, Deployed good) {
        Row row = rows.get(file.name());
        boolean taken = row != null && row.pin().isPresent() && row.state() != Row.State.FAILED;
        return taken
                && file.facts()
                        .map(f -> !f.symbolicName().equals(good.symbolicName()))
                        .orElse(false);
    }

    private void remove(Deployed good, String reason) {
        changes.add(Change.remove(good.symbolicName(), good.file(), reason));
    }

    /** Bundles at our locations of which nothing is known: an interrupted change left them. */
    private void removeStrangers() {
        for (String name : world.present()) {
            if (!chosen.contains(name) && world.good(name).isEmpty() && world.removals()) {
                changes.add(Change.remove(name, "", "no file stands for it"));
            }
        }
    }
}
