package palyra.shell.internal.evidence;

import java.util.Locale;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.Words;

/**
 * What a command is about.
 *
 * @param run id of a run or {@code last}; empty for the run of an export
 * @param callId id of one call of it; empty for all
 */
record EvidenceTarget(String run, String callId) {
    /** The run of an export. */
    static final EvidenceTarget EVERYTHING = new EvidenceTarget("", "");

    /** A run or a call as commands take it. */
    static final PositionalSpec RUN_OR_CALL =
            PositionalSpec.optional(
                    "RUN|CALL",
                    "Id of a run, last, or id of a call (RUN.TURN.INDEX, last.TURN.INDEX)");

    private static final String LAST = "last";
    private static final String CALL = "([0-9A-HJKMNP-TV-Z]{26}|LAST)\\.[0-9]{1,9}\\.[0-9]{1,9}";

    /** Reads an id of a run, {@code last} or an id of a call; INVALID_ARGUMENT for all else. */
    static EvidenceTarget of(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        if (upper.matches(CALL)) {
            String run = upper.substring(0, upper.indexOf('.'));
            return new EvidenceTarget(run.equals("LAST") ? LAST : run, upper);
        }
        if (text.equals(LAST) || Words.isId(text)) {
            return new EvidenceTarget(Words.isId(text) ? upper : text, "");
        }
        throw new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "'"
                        + Words.brief(text, 80)
                        + "' is no id of a run or of a call: a call is RUN.TURN.INDEX, as palyra"
                        + " tape show lists it.");
    }

    /** Returns the same in the run that {@link #run} means: {@code last} was found to be it. */
    EvidenceTarget in(String runId) {
        return new EvidenceTarget(
                runId, callId.isEmpty() ? "" : runId + callId.substring(callId.indexOf('.')));
    }

    /** Reads an id of a call; INVALID_ARGUMENT for all else. */
    static EvidenceTarget call(String text) {
        EvidenceTarget named = of(text);
        if (named.callId().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + Words.brief(text, 80)
                            + "' is no id of a call: it is RUN.TURN.INDEX; palyra attestation show"
                            + " RUN lists those of a run.");
        }
        return named;
    }
}
