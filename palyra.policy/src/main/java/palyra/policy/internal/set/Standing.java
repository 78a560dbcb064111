package palyra.policy.internal.set;

import java.util.Optional;
import palyra.api.core.policy.PolicyReport;

/**
 * How things stand, as a whole: replaced by one reference. Immutable.
 *
 * @param current set in force; empty when there is none
 * @param held whether saved files wait for a reload
 * @param waiting digest of the files that wait because of it; empty when none do
 * @param refused last change that did not come into force; empty when the files are in force
 * @param index sets on disk
 * @param trouble a sentence about the sets on disk; empty when all is well
 */
record Standing(
        Optional<Snapshot> current,
        boolean held,
        String waiting,
        Optional<PolicyReport> refused,
        StoreIndex index,
        String trouble) {
    static final Standing NOTHING =
            new Standing(Optional.empty(), false, "", Optional.empty(), StoreIndex.NONE, "");

    Standing withCurrent(Optional<Snapshot> now) {
        return new Standing(now, held, waiting, refused, index, trouble);
    }

    Standing withHeld(boolean now) {
        return new Standing(current, now, now ? waiting : "", refused, index, trouble);
    }

    Standing withWaiting(String digest) {
        return new Standing(current, held, digest, refused, index, trouble);
    }

    Standing withRefused(Optional<PolicyReport> report) {
        return new Standing(current, held, waiting, report, index, trouble);
    }

    Standing withIndex(StoreIndex now) {
        return new Standing(current, held, waiting, refused, now, trouble);
    }

    Standing withTrouble(String sentence) {
        return new Standing(current, held, waiting, refused, index, sentence);
    }
}
