package palyra.config.internal;

import palyra.api.core.ops.Finding;

/**
 * A problem of the configuration.
 *
 * @param target what it concerns, as text; empty when it concerns no PID
 * @param severity how bad it is
 * @param message one sentence that names file, key, value and what is allowed; no secrets
 * @param remedy what to do
 */
record Problem(String target, Finding.Severity severity, String message, String remedy) {
    static final String AREA = "config";

    static Problem error(String target, String message, String remedy) {
        return new Problem(target, Finding.Severity.ERROR, message, remedy);
    }

    Finding finding() {
        return new Finding(severity, AREA, message, remedy);
    }
}
