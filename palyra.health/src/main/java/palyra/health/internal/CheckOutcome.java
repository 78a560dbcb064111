package palyra.health.internal;

import java.util.Locale;
import java.util.StringJoiner;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
import org.apache.felix.hc.api.execution.HealthCheckExecutionResult;

/**
 * What one check found.
 *
 * @param name name of the check
 * @param status {@code ok}, {@code warn}, {@code temporarily_unavailable}, {@code critical}, {@code
 *     error}, or {@code missing} when a check that must be there is not
 * @param healthy whether it speaks for the whole being well
 * @param message sentences for operators; may be empty
 */
record CheckOutcome(String name, String status, boolean healthy, String message) {
    private static final int LONGEST = 500;

    static CheckOutcome of(HealthCheckExecutionResult execution) {
        Result result = execution.getHealthCheckResult();
        return new CheckOutcome(
                execution.getHealthCheckMetadata().getTitle(),
                word(result.getStatus()),
                result.getStatus() == Result.Status.OK || result.getStatus() == Result.Status.WARN,
                text(result));
    }

    static CheckOutcome missing(String name) {
        return new CheckOutcome(name, "missing", false, "This check is not there to answer.");
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
