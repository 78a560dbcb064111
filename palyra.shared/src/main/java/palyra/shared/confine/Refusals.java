package palyra.shared.confine;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.HostFacts;

/** The refusals of a backend, each with cause and remedy. */
public final class Refusals {
    private Refusals() {}

    /** Refuses what this backend never does. */
    public static PalyraException denied(String sentence) {
        return new PalyraException(ErrorCode.DENIED, sentence);
    }

    /** Refuses for want of something of the host. */
    public static PalyraException unavailable(String cause, String remedy) {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE, remedy.isEmpty() ? cause : cause + " " + remedy);
    }

    /** Refuses a wrong order. */
    public static PalyraException invalid(String sentence) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, sentence);
    }

    /** Refuses what would run with root's rights: no sandbox holds root reliably. */
    public static void unlessUnprivileged(HostFacts host) {
        if (host.effectiveUid() == 0) {
            throw denied(
                    "The gateway runs as root, and no sandbox holds a process of root: start it as"
                            + " a user of its own.");
        }
    }

    /** Refuses while a backend has not found that it works. */
    public static void unlessReady(BackendStatus status) {
        if (status.state() != State.READY) {
            throw unavailable(status.cause(), status.remedy());
        }
    }

    /** Refuses where nothing can be launched. */
    public static void unlessLaunching(HostFacts host) {
        if (!host.problem().isEmpty()) {
            throw unavailable(host.problem(), "");
        }
    }

    /**
     * Refuses for want of a feature, unless the order permits that it is missing.
     *
     * @param present whether it is there
     * @param permitted whether it may be missing
     */
    public static void unlessPermitted(
            boolean present, boolean permitted, String cause, String remedy) {
        if (!present && !permitted) {
            throw unavailable(cause, remedy);
        }
    }
}
