package palyra.skills.internal.audit;

import java.util.ArrayList;
import java.util.List;

/** Collects checks. Not thread-safe. */
final class AuditChecks {
    private final List<AuditCheck> checks = new ArrayList<>();

    /** Adds a failed check for each fault, or a passed one without faults. */
    void judge(String id, String subject, List<String> faults) {
        judge(id, AuditCheck.Result.FAIL, subject, faults);
    }

    void judge(String id, AuditCheck.Result otherwise, String subject, List<String> faults) {
        for (String fault : faults) {
            checks.add(new AuditCheck(id, otherwise, subject, fault));
        }
        if (faults.isEmpty()) {
            checks.add(new AuditCheck(id, AuditCheck.Result.PASS, subject, ""));
        }
    }

    void warn(String id, String subject, String message) {
        checks.add(new AuditCheck(id, AuditCheck.Result.WARN, subject, message));
    }

    AuditReport report() {
        return new AuditReport(checks);
    }
}
