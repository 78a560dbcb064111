package palyra.backup.internal.known;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.core.keys.PublishedKey;
import palyra.api.core.ops.Finding;
import palyra.api.core.policy.Policies;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicySetView;
import palyra.api.core.policy.PolicyStatus;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.gate.Gate;

/**
 * Compares a state folder with what the journal knows of it from the time before this start. A
 * folder that was put together by hand, without some of its parts, is noticed; what an operator
 * takes away while the gateway runs is not missed. Thread-safe.
 */
final class KnownState {
    static final String COLLECTION = "state";
    static final String KEY = "known";

    private static final Logger LOG = LoggerFactory.getLogger(KnownState.class);
    private static final String AREA = "state";
    private static final String POLICIES = "policies";
    private static final int MOST_NAMED = 5;
    private static final int MOST_HISTORY = 1_000;
    private static final String ACCEPT = " To go on without: palyra state accept.";

    private final Path state;
    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final Gate<Policies> policies;

    private final ReentrantLock telling = new ReentrantLock(); // the journal, one at a time

    private Known before; // null until the journal told; guarded by this
    private Known saved; // guarded by this
    private boolean keysCompared; // guarded by this
    private boolean setCompared; // guarded by this
    private final SortedMap<String, SortedSet<String>> lostFiles = new TreeMap<>(); // likewise
    private final Set<String> emptied = new HashSet<>(); // folders without anything; likewise
    private SortedSet<String> lostKeys = new TreeSet<>(); // likewise
    private String lostSet = ""; // likewise

    /**
     * @param journal need not wait for an absent one, as the others
     */
    KnownState(Path state, Gate<Journal> journal, Gate<Keys> keys, Gate<Policies> policies) {
        this.state = state;
        this.journal = journal;
        this.keys = keys;
        this.policies = policies;
    }

    /** Looks; returns a finding for each part that is not there. */
    synchronized List<Finding> findings() {
        if (!begun()) {
            return List.of();
        }
        compare();
        List<Finding> findings = new ArrayList<>();
        lostFiles.forEach(
                (folder, names) ->
                        findings.add(
                                finding(
                                        emptied.contains(folder)
                                                ? Finding.Severity.ERROR
                                                : Finding.Severity.WARNING,
                                        "The folder "
                                                + folder
                                                + " of the state folder lacks "
                                                + named(names)
                                                + ", which it had when the gateway ran last.",
                                        "Put back what a backup has; it counts at once."
                                                + ACCEPT)));
        if (!lostKeys.isEmpty()) {
            findings.add(
                    finding(
                            "The folder keys lacks published keys that the gateway had when it ran"
                                    + " last ("
                                    + named(lostKeys)
                                    + "): what they signed cannot be verified.",
                            "Stop the gateway, put the folder keys of a backup back, start."
                                    + ACCEPT));
        }
        if (!lostSet.isEmpty()) {
            findings.add(
                    finding(
                            "The policy set "
                                    + lostSet
                                    + ", which was in force when the gateway ran last, is not kept"
                                    + " any more, and another one is in force.",
                            "Stop the gateway, put the folders policy and policies of a backup"
                                    + " back, start."
                                    + ACCEPT));
        }
        return findings;
    }

    private static Finding finding(String message, String remedy) {
        return finding(Finding.Severity.ERROR, message, remedy);
    }

    private static Finding finding(Finding.Severity severity, String message, String remedy) {
        return new Finding(severity, AREA, message, remedy);
    }

    private static String named(SortedSet<String> names) {
        return names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMED ? ", and " + (names.size() - MOST_NAMED) : "");
    }

    /** Returns whether the journal told what there was. */
    private boolean begun() {
        if (before != null) {
            return true;
        }
        if (!journal.isPresent()) {
            return false;
        }
        try {
            Optional<Document> known = journal.call(j -> j.document(COLLECTION, KEY));
            Known told = known.flatMap(KnownState::told).orElse(null);
            SortedMap<String, SortedSet<String>> here = StateParts.of(state);
            before = told == null ? Known.NOTHING : told;
            saved = told;
            before.files().forEach((folder, names) -> lose(folder, names, here));
            return true;
        } catch (IOException | PalyraException e) {
            LOG.debug("What the state folder had cannot be looked at yet.", e);
            return false;
        }
    }

    /** A damaged document tells nothing, and is written again. */
    private static Optional<Known> told(Document document) {
        try {
            return Optional.of(Known.parse(document.content()));
        } catch (PalyraException e) {
            LOG.warn("What the state folder had is not known: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Fewer files are a loss; the same number under other names is an operator's doing. A folder
     * that only another version looks into does not count.
     */
    private void lose(
            String folder, SortedSet<String> names, SortedMap<String, SortedSet<String>> here) {
        SortedSet<String> now = here.getOrDefault(folder, names);
        if (now.size() < names.size()) {
            SortedSet<String> lost = new TreeSet<>(names);
            lost.removeAll(now);
            lostFiles.put(folder, lost);
            if (now.isEmpty()) {
                emptied.add(folder); // some files may be an operator's doing
            }
        }
    }

    private void compare() {
        lostFiles.forEach(
                (folder, names) ->
                        names.removeIf(name -> Files.exists(state.resolve(folder).resolve(name))));
        lostFiles.values().removeIf(SortedSet::isEmpty);
        published()
                .ifPresent(
                        ids -> {
                            if (!keysCompared) {
                                lostKeys = new TreeSet<>(before.keys());
                                keysCompared = true;
                            }
                            lostKeys.removeAll(ids);
                        });
        status().ifPresent(this::compare);
    }

    private void compare(PolicyStatus status) {
        boolean asked =
                status.refused()
                        .map(PolicyReport::outcome)
                        .filter(PolicyReport.Outcome.NEEDS_CONFIRMATION::equals)
                        .isPresent();
        if (asked) {
            lostFiles.remove(POLICIES); // the set in force has them, and its loss is asked about
        }
        String current = status.current().map(PolicySetView::sha256).orElse("");
        if (!setCompared && !current.isEmpty()) {
            lostSet = before.policySet();
            setCompared = true;
        }
        boolean kept =
                lostSet.isEmpty()
                        || lostSet.equals(current)
                        || lostFiles.containsKey(POLICIES)
                        || policies.call(p -> p.history(MOST_HISTORY)).stream()
                                .anyMatch(set -> set.sha256().equals(lostSet));
        if (kept) {
            lostSet = "";
        }
    }

    private Optional<SortedSet<String>> published() {
        if (!keys.isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    keys.call(Keys::published).stream()
                            .map(PublishedKey::keyId)
                            .collect(Collectors.toCollection(TreeSet::new)));
        } catch (PalyraException e) {
            return Optional.empty(); // it went just now
        }
    }

    private Optional<PolicyStatus> status() {
        try {
            return policies.isPresent()
                    ? Optional.of(policies.call(Policies::status))
                    : Optional.empty();
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    /**
     * Tells the journal what there is, and what is missed still; nothing when it knows that, or
     * when it is perhaps another gateway's, whose parts are not these.
     */
    void save() throws IOException {
        telling.lock(); // what is given up meanwhile is not missed again
        try {
            Known now = toSave();
            if (now != null) {
                commit(now);
            }
        } finally {
            telling.unlock();
        }
    }

    private synchronized Known toSave() throws IOException {
        if (!begun()) {
            return null;
        }
        compare();
        if (!keysCompared || !lostKeys.isEmpty()) {
            return null;
        }
        Known now = now();
        return now.equals(saved) ? null : now;
    }

    private Known now() throws IOException {
        SortedMap<String, SortedSet<String>> files = StateParts.of(state);
        lostFiles.forEach((folder, names) -> files.get(folder).addAll(names));
        SortedSet<String> ids = published().orElse(null);
        if (ids == null) {
            ids = saved == null ? before.keys() : saved.keys();
        } else {
            ids.addAll(lostKeys);
        }
        String current =
                status().flatMap(PolicyStatus::current).map(PolicySetView::sha256).orElse("");
        String set = saved == null ? before.policySet() : saved.policySet();
        if (!current.isEmpty()) {
            set = lostSet.isEmpty() ? current : lostSet;
        }
        return new Known(files, ids, set);
    }

    private void commit(Known now, Operation... with) {
        List<Operation> operations = new ArrayList<>(List.of(with));
        operations.add(new Operation.PutDocument(COLLECTION, KEY, now.bytes()));
        journal.run(j -> j.commit(Unit.of(operations.toArray(Operation[]::new))));
        synchronized (this) {
            saved = now;
        }
    }

    /**
     * Goes on with what is there, and records what is given up.
     *
     * @param restored what is missing of a backup that was restored
     * @return what is not missed any more
     * @throws PalyraException JOURNAL_UNAVAILABLE when the journal cannot take it; then all of it
     *     is missed still
     */
    GivenUp accept(Permit permit, Optional<Manifest> restored) throws IOException {
        telling.lock();
        try {
            return giveUp(permit, restored);
        } finally {
            telling.unlock();
        }
    }

    private GivenUp giveUp(Permit permit, Optional<Manifest> restored) throws IOException {
        Known now;
        GivenUp given;
        synchronized (this) {
            if (!begun()) {
                throw new PalyraException(
                        ErrorCode.JOURNAL_UNAVAILABLE,
                        "The journal did not tell yet what the state folder had; try again.");
            }
            compare();
            given = GivenUp.of(lostFiles, lostKeys, lostSet, restored);
            lostFiles.clear();
            emptied.clear();
            lostKeys.clear();
            lostSet = "";
            now = now();
        }
        try {
            commit(
                    now,
                    given.isNothing() ? new Operation[0] : new Operation[] {given.event(permit)});
        } catch (PalyraException e) {
            compareAgain();
            throw e;
        }
        return given;
    }

    private synchronized void compareAgain() {
        before = null;
        keysCompared = false;
        setCompared = false;
    }
}
