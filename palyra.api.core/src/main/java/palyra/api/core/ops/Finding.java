package palyra.api.core.ops;

import palyra.api.Require;

/**
 * Something that an operator should know, found by a part of Palyra about itself.
 *
 * @param severity how bad it is
 * @param area what it is about, one or two words such as {@code config} or {@code journal}; never
 *     empty
 * @param message one sentence: what was found; never empty, never holds a secret
 * @param remedy one sentence: what to do about it; empty when there is nothing to do
 */
public record Finding(Severity severity, String area, String message, String remedy) {
    /** How bad a finding is. */
    public enum Severity {
        /** Good to know; nothing is wrong. */
        INFO,
        /** It works, but not as well or as safely as it should. */
        WARNING,
        /** Something does not work. */
        ERROR
    }

    /** Checks. */
    public Finding {
        Require.present(severity, "severity of a finding");
        Require.text(area, "area of a finding");
        Require.text(message, "message of a finding");
        remedy = Require.orEmpty(remedy);
    }
}
