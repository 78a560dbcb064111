package palyra.sandbox.internal.run;

import palyra.api.Require;

/** What the runner knows about a call. */
public sealed interface RunLookup {
    /** It runs. */
    record Running() implements RunLookup {}

    /** It ended; its output was handed to whoever waited for it and is not kept. */
    record Done(RunResult result) implements RunLookup {
        /** Checks. */
        public Done {
            Require.present(result, "result");
        }
    }

    /** Nobody here ever heard of it, or it was forgotten: nothing of it is running. */
    record Unknown() implements RunLookup {}
}
