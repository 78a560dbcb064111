package palyra.api.approval;

/** The risk of approving a call, lowest first. */
public enum RiskLevel {
    /** Reads within the workspace. */
    LOW,
    /** Runs a program that only reads, offline. */
    MEDIUM,
    /** Runs a program, writes, or reaches the network. */
    HIGH,
    /** Runs arbitrary code from its input, or runs less confined than Tier C strict. */
    CRITICAL
}
