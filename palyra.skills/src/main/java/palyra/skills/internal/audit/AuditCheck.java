package palyra.skills.internal.audit;

import palyra.api.Require;

/**
 * One check of an audit.
 *
 * @param id id of the check, such as {@code wasm_imports_known}
 * @param result outcome
 * @param subject checked part, such as the path of a module; may be empty
 * @param message sentence; empty for a pass
 */
public record AuditCheck(String id, Result result, String subject, String message) {
    /** Outcome of a check. */
    public enum Result {
        /** All is well. */
        PASS,
        /** Worth knowing; stops nothing. */
        WARN,
        /** The skill must not run. */
        FAIL
    }

    /** Checks. */
    public AuditCheck {
        Require.text(id, "id of a check");
        Require.present(result, "result of a check");
        subject = Require.orEmpty(subject);
        message = Require.orEmpty(message);
    }
}
