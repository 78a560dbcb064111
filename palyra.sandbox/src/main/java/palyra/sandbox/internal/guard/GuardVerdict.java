package palyra.sandbox.internal.guard;

/** Verdict. */
public sealed interface GuardVerdict {
    /** Accepted. */
    record Accepted(ResolvedCommand command) implements GuardVerdict {}

    /** Refused. */
    record Refused(String reasonCode, String reason) implements GuardVerdict {}
}
