package palyra.shared.tape;

import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.VerificationReport.Finding;
import palyra.api.core.journal.VerificationReport.Judgement;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.fold.RunOrder;

/**
 * Checks record after record whether it may follow in its run, up to the first that may not, or
 * that this version does not know: what may follow such a record is not known either. Not
 * thread-safe.
 */
final class RunJudge {
    /** Most records of a tape, and no step of a run: their content is not looked at. */
    private static final TapeEvent ANY_TEXT = new TapeEvent.ModelToken(1, 1, "");

    private final String runId;
    private final boolean run;
    private final RunOrder order = new RunOrder();
    private boolean judging;
    private long unjudged;
    private Optional<Finding> illegal = Optional.empty();
    private Optional<Finding> unknown = Optional.empty();

    /** Creates a judge who sees the records of a stream, from the first on or only later ones. */
    RunJudge(String streamId, boolean fromTheFirst) {
        this.runId = streamId;
        this.run = !TapeRecord.isJournal(streamId);
        this.judging = run && fromTheFirst;
    }

    void accept(TapeRecord record) {
        if (judging) {
            judge(record);
        }
        if (run && !judging && illegal.filter(found -> found.seq() == record.seq()).isEmpty()) {
            unjudged++;
        }
    }

    private void judge(TapeRecord record) {
        boolean streamed = TapeCodec.isStreamedType(record.type());
        if (!TapeCodec.isKnown(record)) {
            unknown(record, "This version does not know records of that type and form.");
        } else if (record.payload() == null && !streamed) {
            unknown(record, "The payload was erased.");
        } else {
            try {
                order.apply(streamed ? ANY_TEXT : event(record), record.timeMillis());
            } catch (PalyraException e) {
                illegal = Optional.of(finding(record, e.getMessage()));
                judging = false;
            }
        }
    }

    private static TapeEvent event(TapeRecord record) {
        try {
            return TapeCodec.event(record);
        } catch (PalyraException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The payload is not that of such a record; expected the members that the"
                            + " formats name.",
                    e);
        }
    }

    private void unknown(TapeRecord record, String why) {
        unknown = Optional.of(finding(record, why));
        judging = false;
    }

    private Finding finding(TapeRecord record, String detail) {
        return new Finding(runId, record.seq(), record.type(), detail);
    }

    Judgement judgement() {
        return new Judgement(illegal.stream().toList(), unjudged, unknown);
    }
}
