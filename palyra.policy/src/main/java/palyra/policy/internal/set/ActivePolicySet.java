package palyra.policy.internal.set;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicySetView;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.shared.files.MediumFailure;

/**
 * Keeps the set in force, in memory and on disk. A set is durable before it comes into force; it
 * comes into force by one write of one reference. Changed by one thread; {@link #status} is for
 * any.
 */
final class ActivePolicySet {
    private static final Logger LOG = LoggerFactory.getLogger(ActivePolicySet.class);
    private static final int SHORTEST_PREFIX = 6;

    private final SetStore store;
    private final String bootId;
    private final LongSupplier clock;
    private volatile SetStatus status = SetStatus.NOTHING;
    private Optional<Snapshot> lastGoodSnapshot = Optional.empty();
    private long epoch;

    /**
     * @param bootId start of this process
     */
    ActivePolicySet(SetStore store, String bootId, LongSupplier clock) {
        this.store = store;
        this.bootId = bootId;
        this.clock = clock;
    }

    /** Returns the words for a write of the store that failed: what, where, and the remedy. */
    String failure(IOException e) {
        return MediumFailure.sentence(e, store.folder());
    }

    /** Returns the code of a write of the store that failed. */
    ErrorCode failureCode(IOException e) {
        return MediumFailure.of(e, store.folder()).code(ErrorCode.INTERNAL);
    }

    SetStatus status() {
        return status;
    }

    /** Returns the set that was accepted last, in force or not. */
    Optional<Snapshot> lastGoodSnapshot() {
        return lastGoodSnapshot;
    }

    /**
     * Reads that set from the disk again: what it was compiled to is not kept in memory.
     *
     * @throws PalyraException CORRUPT when it is not what was stored
     */
    CompiledSet readLastGood() {
        String sha256 = lastGoodSnapshot.orElseThrow().view().sha256();
        return stored(status.index().entry(sha256).orElseThrow());
    }

    /** Reads the sets on disk; none comes into force yet. */
    void open() {
        try {
            StoreIndex index = store.index();
            epoch = index.bootId().equals(bootId) ? index.epoch() : 0;
            status = status.withIndex(index).withHeld(index.held());
            if (!index.current().isEmpty()) {
                CompiledSet set = stored(index.entry(index.current()).orElseThrow());
                lastGoodSnapshot = Optional.of(snapshot(set));
                warned(set.warnings());
            }
        } catch (PalyraException e) {
            trouble(e.getMessage());
            status = status.withHeld(false);
        }
    }

    private CompiledSet stored(StoreIndex.Entry entry) {
        return store.get(entry.view().sha256(), entry.recordSha256());
    }

    private static Snapshot snapshot(CompiledSet set) {
        try {
            return set.snapshot(Activation.NONE);
        } catch (CedarFormatException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The stored policy set "
                            + set.sha256()
                            + " cannot be used by this version: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Says something about the sets on disk; empty: all is well. */
    void trouble(String sentence) {
        if (!sentence.isEmpty() && !sentence.equals(status.trouble())) {
            LOG.error("{}", sentence);
        }
        status = status.withTrouble(sentence);
    }

    /** Brings the set that was accepted last into force again, as after a start. */
    void resume(String origin) {
        Snapshot snapshot = lastGoodSnapshot.orElseThrow();
        String sha256 = snapshot.view().sha256();
        String who =
                status.index().entry(sha256).map(e -> e.view().loadedBy()).orElse("local-files");
        Activation stamp = stamp(origin, who);
        PolicySetView view = snapshot.view();
        publish(
                CompiledSet.with(
                        snapshot,
                        new PolicySetView(
                                view.sha256(),
                                stamp.epoch(),
                                view.policies(),
                                view.files(),
                                origin,
                                stamp.millis(),
                                who)));
        StoreIndex index = status.index();
        StoreIndex now =
                new StoreIndex(index.current(), index.held(), bootId, epoch, index.entries());
        try {
            store.index(now);
            status = status.withIndex(now);
        } catch (IOException e) {
            LOG.warn("The epoch of the policies could not be stored: {}", failure(e));
        }
    }

    /**
     * Makes a checked set durable and brings it into force.
     *
     * @throws IOException when it could not be stored; then nothing has changed
     */
    void accept(CompiledSet set, Snapshot snapshot, boolean held) throws IOException {
        PolicySetView view = snapshot.view();
        String record = store.put(set);
        StoreIndex index =
                status.index().with(new StoreIndex.Entry(view, record), held, bootId, view.epoch());
        store.index(index);
        status = status.withIndex(index).withHeld(held);
        lastGoodSnapshot = Optional.of(snapshot);
        warned(set.warnings());
        publish(snapshot);
        store.prune(index);
    }

    /** Returns how a set that comes into force now is stamped. */
    Activation stamp(String origin, String who) {
        return new Activation(epoch + 1, origin, who, clock.getAsLong());
    }

    private void publish(Snapshot snapshot) {
        PolicySetView view = snapshot.view();
        epoch = view.epoch();
        status = status.withCurrent(Optional.of(snapshot));
        LOG.info(
                "Policy set {} is in force: epoch {}, {} policies, by {} ({}).",
                view.sha256(),
                view.epoch(),
                view.policies(),
                view.loadedBy(),
                view.origin());
    }

    /** Takes the set in force out of force: everything is denied. */
    void withdraw() {
        if (status.current().isPresent()) {
            LOG.error("No policy set is in force any more: everything is denied (onFailure=deny).");
        }
        status = status.withCurrent(Optional.empty());
    }

    /** Never uses the set that was accepted last again: it is not what it was. */
    void forgetLastGood() {
        lastGoodSnapshot = Optional.empty();
        status = status.withHeld(false);
    }

    /** Lets saved files count again, or wait. */
    void hold(boolean held) throws IOException {
        if (status.held() != held) {
            StoreIndex index = status.index().held(held);
            store.index(index);
            status = status.withIndex(index).withHeld(held);
        }
    }

    void refused(Optional<PolicyReport> report) {
        status = status.withRefused(report);
    }

    /** Keeps the warnings of the set in force that last. */
    void warned(List<PolicyProblem> problems) {
        status = status.withWarnings(PolicyProblems.lasting(problems));
    }

    void waiting(String sha256) {
        status = status.withWaiting(sha256);
    }

    /**
     * Returns a stored set.
     *
     * @throws PalyraException NOT_FOUND, INVALID_ARGUMENT, CORRUPT
     */
    CompiledSet find(String prefix) {
        if (!prefix.matches("[0-9a-f]{" + SHORTEST_PREFIX + ",64}")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + prefix
                            + "' is no digest of a policy set: give at least "
                            + SHORTEST_PREFIX
                            + " of its hexadecimal digits in lower case.");
        }
        List<StoreIndex.Entry> found =
                status.index().entries().stream()
                        .filter(e -> e.view().sha256().startsWith(prefix))
                        .toList();
        if (found.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "No policy set " + prefix + " is kept; look at policy history.");
        }
        if (found.size() > 1) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    found.size() + " policy sets begin with " + prefix + "; give more digits.");
        }
        return stored(found.getFirst());
    }
}
