package palyra.health.internal;

import java.util.Locale;
import java.util.StringJoiner;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
import org.apache.felix.hc.api.execution.HealthCheckExecutionResult;

/**
 * Result of one check.
 *
 * @param name name of the check
 * @param status {@code ok}, {@code warn}, {@code temporarily_unavailable}, {@code critical}, {@code
 *     error}, {@code missing} for a required check that is not registered, or {@code timed_out} for
 *     one without an answer in time
 * @param healthy whether readiness or liveness can still be reported
 * @param message for operators; may be empty
 */
record CheckOutcome(String name, String status, boolean healthy, String message) {
    private static final String TIMED_OUT = "timed_out";
    private static final int LONGEST = 500;

    static CheckOutcome of(HealthCheckExecutionResult execution) {
        Result result = execution.getHealthCheckResult();
        if (execution.hasTimedOut()) { // the executor reports only a warning
            return new CheckOutcome(
                    execution.getHealthCheckMetadata().getTitle(),
                    TIMED_OUT,
                    false,
                    "This check did not answer in time. " + text(result));
        }
        return new CheckOutcome(
                execution.getHealthCheckMetadata().getTitle(),
                word(result.getStatus()),
                result.getStatus() == Result.Status.OK || result.getStatus() == Result.Status.WARN,
                text(result));
    }

    static CheckOutcome missing(String name) {
        return new CheckOutcome(name, "missing", false, "This check is not registered.");
    }

    /** Returns the outcome for checks that did not end in time. */
    static CheckOutcome late(long timeoutMillis) {
        return new CheckOutcome(
                "checks",
                TIMED_OUT,
                false,
                "The health checks did not end within "
                        + timeoutMillis
                        + " ms, so one of them hangs; ask again, or take a thread dump (jcmd PID"
                        + " Thread.print).");
    }

    private static String word(Result.Status status) {
        return status == Result.Status.HEALTH_CHECK_ERROR
                ? "error"
                : status.name().toLowerCase(Locale.ROOT);
    }

    private static String text(Result result) {
        StringJoiner joined = new StringJoiner(" ");
        for (ResultLog.Entry entry : result) {
            if (!entry.isDebug()) {
                joined.add(entry.getMessage());
            }
        }
        String text = joined.toString();
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
