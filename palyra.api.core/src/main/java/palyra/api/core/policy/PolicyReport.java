package palyra.api.core.policy;

import java.util.List;
import palyra.api.Require;

/**
 * What came of checking a policy set.
 *
 * @param outcome what happened
 * @param sha256 digest over the files; empty when they could not be read
 * @param summary one sentence
 * @param problems errors first, then warnings
 * @param lost forbids of the set in force that the checked one lacks, by {@code @id}
 * @param casesRun how many cases were tried
 * @param replayed how many recorded requests were tried on both engines
 * @param millis how long it took
 */
public record PolicyReport(
        Outcome outcome,
        String sha256,
        String summary,
        List<PolicyProblem> problems,
        List<String> lost,
        int casesRun,
        int replayed,
        long millis) {
    /** What happened. */
    public enum Outcome {
        /** The set is in force now. */
        APPLIED,
        /** It was in force already. */
        UNCHANGED,
        /** It could come into force; nothing was changed. */
        VALID,
        /** It would remove protection, which an operator has to confirm by its digest. */
        NEEDS_CONFIRMATION,
        /** It is not usable. */
        REFUSED
    }

    /** Checks and copies. */
    public PolicyReport {
        Require.present(outcome, "outcome");
        sha256 = Require.orEmpty(sha256);
        Require.text(summary, "summary");
        problems = List.copyOf(problems);
        lost = List.copyOf(lost);
    }
}
