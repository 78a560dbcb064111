package palyra.policy.internal.set;

import java.util.List;
import palyra.api.core.policy.PolicyProblem;

/** What came of reading the folders. */
sealed interface ReadResult {
    /** Everything was read, and nothing changed while it was. */
    record Complete(SourceSet set) implements ReadResult {}

    /** The folders cannot be used as they are. */
    record Unusable(List<PolicyProblem> problems) implements ReadResult {
        public Unusable {
            problems = List.copyOf(problems);
        }
    }

    /** The files are still being written. */
    record Unsettled() implements ReadResult {}
}
