package palyra.policy.internal.set;

import java.util.List;
import palyra.api.core.policy.PolicyProblem;

/** What came of reading the folders. */
sealed interface Reading {
    /** Everything was read, and nothing changed while it was. */
    record Complete(SourceSet set) implements Reading {}

    /**
     * The folders cannot be used as they are.
     *
     * @param maySettle whether the system refused to list or to open something, such as for lack of
     *     descriptors: that may pass without a change of any file
     */
    record Unusable(List<PolicyProblem> problems, boolean maySettle) implements Reading {
        public Unusable {
            problems = List.copyOf(problems);
        }
    }

    /** Somebody is still writing. */
    record Unsettled() implements Reading {}
}
