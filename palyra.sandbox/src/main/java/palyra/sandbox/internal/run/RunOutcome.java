package palyra.sandbox.internal.run;

/** How a command that was to run in a sandbox ended. */
public enum RunOutcome {
    /** It ran and ended by itself, with any exit code. */
    OK,
    /** The program could not be executed; nothing ran. */
    SPAWN_FAILED,
    /** Its wall-clock time was up. */
    TIMED_OUT,
    /** Its temporary files or its workspace grew beyond what they may. */
    DISK_QUOTA,
    /** It used up its processor time. */
    CPU_QUOTA,
    /** The kernel ended it for want of memory within its limit. */
    MEMORY_QUOTA,
    /** It was stopped on request. */
    KILLED,
    /** Policy denies a host that it would reach; nothing was started. */
    POLICY_DENIED,
    /** A guard or a sandbox refused it as it is; nothing was started. */
    REFUSED,
    /** The sandbox itself failed: nothing it says about confinement may be relied on. */
    SANDBOX_FAILED
}
