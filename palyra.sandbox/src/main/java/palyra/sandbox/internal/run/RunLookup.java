package palyra.sandbox.internal.run;

import palyra.api.Require;

/** What the runner knows about a call. */
public sealed interface RunLookup {
    /** It runs. */
    record Running() implements RunLookup {}

    /** It ended; its output went to the caller that waited for it and is not kept. */
    record Done(RunResult result) implements RunLookup {
        /** Checks. */
        public Done {
            Require.present(result, "result");
        }
    }

    /** Unknown or forgotten: no process of it is running. */
    record Unknown() implements RunLookup {}
}
