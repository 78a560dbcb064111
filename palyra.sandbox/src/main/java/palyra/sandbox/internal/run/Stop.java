package palyra.sandbox.internal.run;

/** Why a running command was ended by the runner. */
public enum Stop {
    /** Its wall-clock time was up. */
    DEADLINE(RunOutcome.TIMED_OUT, "because its timeout was reached."),
    /** Its folder for temporary files holds more than it may. */
    SCRATCH(
            RunOutcome.DISK_QUOTA,
            "because its temporary files had grown beyond scratchBytes of palyra.sandbox, or it"
                    + " kept them from being counted; make it write less to $TMPDIR."),
    /** Its workspace holds more than it may, and the command made that more. */
    WORKSPACE(
            RunOutcome.DISK_QUOTA,
            "because its workspace had grown beyond workspaceBytes or workspaceFiles of"
                    + " palyra.sandbox, or because a folder could not be read to be counted; remove"
                    + " files, or make folders readable for their owner."),
    /** All its processes together used up their processor time. */
    CPU(RunOutcome.CPU_QUOTA, "because it had used up its processor time."),
    /** Its caller requested its end. */
    CANCELLED(RunOutcome.KILLED, "on request."),
    /** Its sandbox backend, or this bundle, is being replaced or removed. */
    WITHDRAWN(
            RunOutcome.KILLED, "because the sandboxes of its tier are being replaced or removed."),
    /** The run that started it has ended. */
    RUN_ENDED(RunOutcome.KILLED, "because its run has ended."),
    /** The session of the run that started it has ended. */
    SESSION_ENDED(RunOutcome.KILLED, "because its session has ended."),
    /** No one asked for it for long. */
    UNASKED(
            RunOutcome.TIMED_OUT,
            "because it was not asked for within backgroundMaxMillis of palyra.sandbox."),
    /** Its egress proxy stopped working. */
    PROXY_LOST(RunOutcome.SANDBOX_FAILED, "because its egress proxy failed."),
    /** What opened its egress proxy is being replaced or removed. */
    PROXY_WITHDRAWN(
            RunOutcome.KILLED,
            "because the egress proxies (palyra.sandbox) are being replaced or removed; start it"
                    + " again."),
    /** The gateway opened a port that its sandbox does not keep it from. */
    PORT_OPENED(
            RunOutcome.KILLED,
            "because the gateway opened another port, from which it could not be kept any more;"
                    + " start it again."),
    /** The sandbox that it shared with other commands of its session has ended. */
    SANDBOX_ENDED(RunOutcome.KILLED, "because the sandbox of its session has ended."),
    /** Too many commands of its session have left processes that hold their output open. */
    OUTPUT_HELD(
            RunOutcome.KILLED,
            "when its first process had ended, because it left processes that hold its output open,"
                    + " as too many commands of this session do; send the output of what is to go"
                    + " on to a file, such as with > server.log 2>&1."),
    /** The folders of a session's sandbox hold more than they may. */
    SESSION_FULL(
            RunOutcome.DISK_QUOTA,
            "because its home folder and its temporary files had grown beyond sessionBytes of"
                    + " palyra.sandbox."),
    /** No command used the sandbox of a session for a while. */
    SESSION_UNUSED(
            RunOutcome.KILLED,
            "because it was not used for sessionIdleMillis of palyra.sandbox, or another session"
                    + " needed its place (maxSessions)."),
    /** What the sandbox of a session was made with has changed. */
    SESSION_OUTDATED(
            RunOutcome.KILLED, "because an operator changed the configuration of the sandboxes."),
    /** Another program replaced a protected path, and with it what its sandbox holds. */
    PATH_REPLACED(
            RunOutcome.KILLED,
            "because a protected path of the workspace was replaced by another program, or by a"
                    + " command that a person allowed to, so that its sandbox may no longer hold"
                    + " it; start it again."),
    /** Its sandbox did not hold in a test. */
    DISTRUSTED(RunOutcome.SANDBOX_FAILED, "because its sandbox failed a self-test."),
    /** The backend threw while the command ran. */
    BROKEN(RunOutcome.SANDBOX_FAILED, "because its sandbox failed.");

    private final RunOutcome outcome;
    private final String cause;

    Stop(RunOutcome outcome, String cause) {
        this.outcome = outcome;
        this.cause = cause;
    }

    /** Returns what the run's end is called. */
    public RunOutcome outcome() {
        return outcome;
    }

    /**
     * Returns one sentence for the caller.
     *
     * @param what was stopped, such as {@code The command}
     */
    public String sentence(String what) {
        return what + " was stopped " + cause;
    }
}
