package palyra.gateway.internal.engine.queue;

import java.util.List;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/** The last state that the tape of a run records, found without folding it. */
final class LastState {
    private static final int PAGE = 200;
    private static final String TYPE = "run_state";

    private LastState() {}

    /** Returns the state; RUNNING when none can be read. */
    static RunState of(Gate<Journal> journal, String runId) {
        RunState last = RunState.RUNNING;
        long after = 0;
        List<TapeRecord> page = page(journal, runId, after);
        while (!page.isEmpty()) {
            for (TapeRecord record : page) {
                last = after(record, last);
            }
            after = page.getLast().seq();
            page = page(journal, runId, after);
        }
        return last;
    }

    private static List<TapeRecord> page(Gate<Journal> journal, String runId, long after) {
        return journal.call(j -> j.tape(runId, after, PAGE));
    }

    private static RunState after(TapeRecord record, RunState before) {
        if (!record.type().equals(TYPE)) {
            return before;
        }
        try {
            return TapeCodec.event(record) instanceof TapeEvent.RunStateChanged changed
                    ? changed.state()
                    : before;
        } catch (PalyraException e) {
            return before;
        }
    }
}
