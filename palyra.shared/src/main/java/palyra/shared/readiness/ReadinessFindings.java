package palyra.shared.readiness;

/**
 * Marks the source of findings that says what {@code /readyz} says: one finding for each check that
 * fails, with the name of the check as its area; none while the gateway is ready.
 */
public final class ReadinessFindings {
    /** Service property of that source, the Boolean {@code true}. */
    public static final String PROPERTY = "palyra.readiness";

    private ReadinessFindings() {}
}
