package palyra.policy.internal.set;

import java.util.List;
import palyra.api.core.policy.PolicyProblem;

/** What came of reading the folders. */
sealed interface Reading {
    /** Everything was read, and nothing changed while it was. */
    record Complete(SourceSet set) implements Reading {}

    /** The folders cannot be used as they are. */
    record Unusable(List<PolicyProblem> problems) implements Reading {
        public Unusable {
            problems = List.copyOf(problems);
        }
    }

    /** Somebody is still writing. */
    record Unsettled() implements Reading {}
}
