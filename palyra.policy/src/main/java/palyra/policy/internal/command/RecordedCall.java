package palyra.policy.internal.command;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
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
    private static final String LAST = "last";
    private static final String RUN = "[0-9A-HJKMNP-TV-Z]{26}";
    private static final String CALL = "\\.[0-9]{1,9}\\.[0-9]{1,9}";

    /**
     * Finds it.
     *
     * @param principal whose newest run {@code last} is
     * @param named {@code RUN.TURN.INDEX}, {@code last.TURN.INDEX}, or {@code last} for the last
     *     call that was decided in the run
     * @throws PalyraException INVALID_ARGUMENT, NOT_FOUND
     */
    static RecordedCall find(Gate<Journal> journal, String principal, String named) {
        String callId =
                named.equals(LAST) || named.startsWith(LAST + ".")
                        ? newestRun(journal, principal) + named.substring(LAST.length())
                        : named;
        if (!callId.matches(RUN + (named.equals(LAST) ? "" : CALL))) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + brief(callId)
                            + "' is no id of a call: it is RUN.TURN.INDEX, last.TURN.INDEX or last;"
                            + " palyra tape show lists the calls of a run.");
        }
        String runId = callId.split("\\.")[0];
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
                                        "No decision is recorded about "
                                                + (callId.equals(runId)
                                                        ? "a call of run "
                                                        : "call ")
                                                + callId
                                                + "; palyra tape show "
                                                + runId
                                                + " lists the calls of the run."));
    }

    private static String newestRun(Gate<Journal> journal, String principal) {
        return journal.call(j -> j.runs(principal, "", "", 1)).stream()
                .findFirst()
                .map(RunRow::runId)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "You have no run yet; start one with palyra ask."));
    }

    private static String brief(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= 80 ? printable : printable.substring(0, 80) + "…";
    }

    /** Reads the last decision about a call; about any call when only the run is named. */
    private static Optional<RecordedCall> read(Gate<Journal> journal, String runId, String named) {
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
                        && (named.equals(runId) || decision.callId().equals(named))) {
                    int before =
                            found != null && found.concerns(decision.callId())
                                    ? found.decisions()
                                    : 0;
                    found = new RecordedCall(decision, record.timeMillis(), before + 1);
                }
            }
        } while (!page.isEmpty());
        return Optional.ofNullable(found);
    }

    private boolean concerns(String callId) {
        return decision.callId().equals(callId);
    }
}
