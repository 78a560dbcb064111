package palyra.sandbox.internal.canary;

import java.util.Optional;
import palyra.sandbox.internal.canary.CanaryStatus.State;

/**
 * The last report about a sandbox.
 *
 * @param report the report
 * @param recorded whether it is in the journal
 * @param problem why it is not recorded; empty when it is, or when recording was not tried yet
 */
record RecordedReport(CanaryReport report, boolean recorded, String problem) {
    /** Returns its age in milliseconds; a clock that went back makes it old, never new. */
    long ageMillis(long nowMillis) {
        return Math.abs(nowMillis - report.atMillis());
    }

    /**
     * Returns what it says about the sandbox now.
     *
     * @param fingerprint what the sandbox is now
     * @param mostMillis age from which it does not count any more
     */
    CanaryStatus canaryStatus(String fingerprint, long nowMillis, long mostMillis) {
        if (!report.passed()) {
            return new CanaryStatus(
                    State.FAILED,
                    Optional.of(report),
                    report.broken().isEmpty()
                            ? report.cause()
                            : "It failed its last test: " + report.cause());
        }
        String why = "";
        if (!report.fingerprint().equals(fingerprint)) {
            why = "It has changed since it was tested, and is being tested again.";
        } else if (ageMillis(nowMillis) > mostMillis) {
            why = "Its last test is too old, and it is being tested again.";
        } else if (!recorded) {
            why = "Its test is not in the journal yet. " + problem;
        }
        return new CanaryStatus(
                why.isEmpty() ? State.PROVEN : State.PROBING, Optional.of(report), why);
    }
}
