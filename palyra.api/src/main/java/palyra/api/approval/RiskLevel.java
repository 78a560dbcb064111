package palyra.api.approval;

/** How much harm a yes may do, from the least. */
public enum RiskLevel {
    /** Reads within the workspace. */
    LOW,
    /** Runs a program that only reads, offline. */
    MEDIUM,
    /** Runs a program, writes, or reaches the network. */
    HIGH,
    /** Runs whatever its input says, or less confined than Tier C strict. */
    CRITICAL
}
