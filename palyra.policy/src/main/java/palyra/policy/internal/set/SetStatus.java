package palyra.policy.internal.set;

import java.util.List;
import java.util.Optional;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;

/**
 * How things stand, as a whole: replaced by one reference. Immutable.
 *
 * @param current set in force; empty if absent
 * @param held whether saved files wait for a reload
 * @param waiting digest of the files that wait because of it; empty when none do
 * @param refused last change that did not come into force; empty when the files are in force
 * @param index sets on disk
 * @param trouble a sentence about the sets on disk; empty when all is well
 * @param warnings of the set in force
 */
record SetStatus(
        Optional<Snapshot> current,
        boolean held,
        String waiting,
        Optional<PolicyReport> refused,
        StoreIndex index,
        String trouble,
        List<PolicyProblem> warnings) {
    static final SetStatus NOTHING =
            new SetStatus(
                    Optional.empty(), false, "", Optional.empty(), StoreIndex.NONE, "", List.of());

    SetStatus {
        warnings = List.copyOf(warnings);
    }

    SetStatus withWarnings(List<PolicyProblem> found) {
        return new SetStatus(current, held, waiting, refused, index, trouble, found);
    }

    SetStatus withCurrent(Optional<Snapshot> now) {
        return new SetStatus(now, held, waiting, refused, index, trouble, warnings);
    }

    SetStatus withHeld(boolean now) {
        return new SetStatus(current, now, now ? waiting : "", refused, index, trouble, warnings);
    }

    SetStatus withWaiting(String digest) {
        return new SetStatus(current, held, digest, refused, index, trouble, warnings);
    }

    SetStatus withRefused(Optional<PolicyReport> report) {
        return new SetStatus(current, held, waiting, report, index, trouble, warnings);
    }

    SetStatus withIndex(StoreIndex now) {
        return new SetStatus(current, held, waiting, refused, now, trouble, warnings);
    }

    SetStatus withTrouble(String sentence) {
        return new SetStatus(current, held, waiting, refused, index, sentence, warnings);
    }
}
