package palyra.policy.internal.set;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import palyra.api.core.policy.Policies;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.policy.internal.decide.CaseRunner.CaseResult;

/**
 * What operators do with policies, and the sets themselves for parts of this bundle that look into
 * them: explanations, plans. Thread-safe.
 */
public interface PolicyService extends Policies {
    /**
     * A set that was looked at without bringing it into force.
     *
     * @param report what came of checking it
     * @param snapshot the set; empty when it is refused
     */
    record Candidate(PolicyReport report, Optional<Snapshot> snapshot) {}

    /**
     * What came of trying the cases of a set.
     *
     * @param results one a case that could be read
     * @param problems why the set could not be compiled; else one error for each case that does not
     *     hold or cannot be read
     */
    record Trial(List<CaseResult> results, List<PolicyProblem> problems) {
        /** Copies. */
        public Trial {
            results = List.copyOf(results);
            problems = List.copyOf(problems);
        }
    }

    /** Returns the set in force; empty if absent. */
    Optional<Snapshot> inForce();

    /**
     * Reads and checks a set as a reload would.
     *
     * @param folder folder that takes the place of the operator's; empty for the operator's own
     * @throws palyra.api.PalyraException TIMED_OUT, CANCELLED
     */
    Candidate candidate(Optional<Path> folder);

    /**
     * Reads and compiles a set and tries its cases, nothing else.
     *
     * @param folder as for {@link #candidate}
     * @throws palyra.api.PalyraException TIMED_OUT, CANCELLED
     */
    Trial tryCases(Optional<Path> folder);

    /**
     * Does something else with a candidate: on the one thread for them, one after the other, never
     * on one that decides.
     *
     * @throws palyra.api.PalyraException RESOURCE_EXHAUSTED, TIMED_OUT, CANCELLED, or what the work
     *     throws
     */
    <T> T aside(Callable<T> work);

    /**
     * Returns a set that was in force earlier.
     *
     * @param sha256 digest or a unique beginning of it; empty for the set in force
     * @throws palyra.api.PalyraException NOT_FOUND, INVALID_ARGUMENT, CORRUPT
     */
    Snapshot stored(String sha256);
}
