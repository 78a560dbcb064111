package palyra.api.core.sandbox;

import org.osgi.annotation.versioning.ConsumerType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;

/**
 * A way to confine processes. Registered as a service by each sandbox backend that fits this host;
 * when two offer one tier, the higher {@code service.ranking} wins. Thread-safe.
 *
 * <p>A backend plans, probes and starts. The caller that starts a process owns it: output, deadline
 * and budget are the runner's, and so is ending it before the backend goes.
 */
@ConsumerType
public interface SandboxBackend {
    /** Returns the tier that it provides. */
    Tier tier();

    /**
     * Returns the name of its executor in attestations, such as {@code
     * sandbox_tier_c_linux_bubblewrap}.
     */
    String executor();

    /** Returns whether it may be used, and why not. Must not block. */
    BackendStatus status();

    /**
     * Checks whether it could run a command, without starting anything: identity of helper programs
     * and filters, modes that it does not have, features that are missing.
     *
     * @throws palyra.api.PalyraException DENIED when this backend does not support the
     *     specification (a mode, euid 0), TOOL_UNAVAILABLE when something of the host is missing or
     *     was changed; the message names cause and remedy
     */
    void check(SandboxSpec spec);

    /**
     * Starts a command after {@link #check}. Nothing runs unless this returns.
     *
     * @throws palyra.api.PalyraException as {@link #check}; NOT_FOUND or INVALID_ARGUMENT when the
     *     program cannot be executed
     */
    SandboxProcess start(SandboxSpec spec);

    /**
     * Makes a sandbox that several commands share, see {@link SandboxSpec#shared}. The process that
     * is returned holds it and runs nothing of a command; when it ends, everything in the sandbox
     * ends. The program of the specification is not run; its limits are those of all commands
     * together.
     *
     * @throws palyra.api.PalyraException DENIED when this backend makes none; otherwise as {@link
     *     #check}
     */
    default SandboxProcess hold(SandboxSpec spec) {
        throw new PalyraException(
                ErrorCode.DENIED,
                "The sandbox "
                        + executor()
                        + " cannot be shared by the commands of a session; run the command without"
                        + " session.");
    }

    /**
     * Looks again at what the host has: versions, kernel features, helper programs. Blocks for at
     * most some seconds.
     */
    BackendStatus probe();
}
