package palyra.api.core.tools;

import palyra.api.Require;

/** What an executor knows about a call. */
public sealed interface ToolLookup {
    /** It runs; the sink given to {@link ToolExecutor#attach} will get the outcome. */
    record Running() implements ToolLookup {}

    /** It ended. */
    record Done(ToolOutcome outcome) implements ToolLookup {
        /** Checks. */
        public Done {
            Require.present(outcome, "outcome");
        }
    }

    /**
     * The executor never heard of it, or forgot it: the call was interrupted, and nothing of it is
     * left running.
     */
    record Unknown() implements ToolLookup {}
}
