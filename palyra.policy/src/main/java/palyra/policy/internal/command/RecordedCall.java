package palyra.policy.internal.command;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/**
 * The last decision about a call, as the tape has it.
 *
 * @param timeMillis unix time in milliseconds at which it was recorded
 * @param decisions how many there are: a call that waited for people is decided twice
 */
record RecordedCall(TapeEvent.ToolDecision decision, long timeMillis, int decisions) {
    private static final int PAGE = 500;

    /**
     * Finds it.
     *
     * @param callId {@code RUN.TURN.INDEX}
     * @throws PalyraException INVALID_ARGUMENT, NOT_FOUND
     */
    static RecordedCall find(Gate<Journal> journal, String callId) {
        if (!callId.matches("[0-9A-HJKMNP-TV-Z]{26}\\.[0-9]{1,9}\\.[0-9]{1,9}")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + brief(callId)
                            + "' is no id of a call: it is RUN.TURN.INDEX, as palyra tape show"
                            + " lists it.");
        }
        String runId = callId.substring(0, callId.indexOf('.'));
        if (journal.call(j -> j.run(runId)).isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no run " + runId + "; list them with palyra runs.");
        }
        return read(journal, runId, callId)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "Nothing was decided about call "
                                                + callId
                                                + "; palyra tape show "
                                                + runId
                                                + " lists the calls of the run."));
    }

    private static String brief(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= 80 ? printable : printable.substring(0, 80) + "…";
    }

    private static Optional<RecordedCall> read(Gate<Journal> journal, String runId, String callId) {
        RecordedCall found = null;
        long after = 0;
        List<TapeRecord> page;
        do {
            long from = after;
            page = journal.call(j -> j.tape(runId, from, PAGE));
            for (TapeRecord record : page) {
                after = record.seq();
                if (record.type().equals("tool_decision")
                        && TapeCodec.event(record) instanceof TapeEvent.ToolDecision decision
                        && decision.callId().equals(callId)) {
                    int before = found == null ? 0 : found.decisions();
                    found = new RecordedCall(decision, record.timeMillis(), before + 1);
                }
            }
        } while (!page.isEmpty());
        return Optional.ofNullable(found);
    }
}
