package palyra.sandbox.internal.run;

import palyra.api.core.sandbox.SandboxBackend;

/** Says whether a sandbox has proved itself. Thread-safe. */
public interface BackendTrust {
    /**
     * Returns what an enforcement string says about the last proof, such as {@code
     * canary=0123456789ab@1700000000000}.
     *
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE with the cause while the backend has not
     *     proved itself as it is now
     */
    String proof(SandboxBackend backend);

    /**
     * Returns the same for a sandbox that commands of a session share, which has to have proved
     * itself in that form.
     *
     * @throws palyra.api.PalyraException as {@link #proof}, and TOOL_UNAVAILABLE with the cause
     *     when the backend did not prove itself in that form
     */
    default String sharedProof(SandboxBackend backend) {
        return proof(backend);
    }

    /**
     * Waits while a sandbox is being tested, for a call that has time for that. Returns when the
     * test is over, whatever came of it, and when none will come.
     *
     * @param mostMillis how long the call can wait
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when it is still being tested then
     */
    default void awaitTest(SandboxBackend backend, long mostMillis) {}
}
