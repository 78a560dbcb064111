package palyra.api.approval;

/** How alike later calls must be to the one that was approved, for the approval to cover them. */
public enum GrantShape {
    /**
     * The same call again: tool, input, program and its digest, working folder and sandbox are
     * equal.
     */
    EXACT,
    /**
     * Calls of the pattern that the approval request shows: the same program, sub-command and
     * listed options, with other operands. Offered only where the tool can tell that it is
     * harmless; never for a shell, an interpreter or a program that runs programs.
     */
    PATTERN
}
