package palyra.gateway.internal.engine.run;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/** Calls that may be running, by a tape that cannot be folded. */
final class UnfinishedCalls {
    private static final int PAGE = 200;

    private UnfinishedCalls() {}

    /**
     * Returns ids of calls that were started and have no output; what cannot be read is left out.
     */
    static Set<String> of(Gate<Journal> journal, String runId) {
        Set<String> open = new LinkedHashSet<>();
        long after = 0;
        List<TapeRecord> page = page(journal, runId, after);
        while (!page.isEmpty()) {
            page.forEach(record -> collect(record, open));
            after = page.getLast().seq();
            page = page(journal, runId, after);
        }
        return open;
    }

    private static List<TapeRecord> page(Gate<Journal> journal, String runId, long after) {
        return journal.call(j -> j.tape(runId, after, PAGE));
    }

    private static void collect(TapeRecord record, Set<String> open) {
        try {
            switch (TapeCodec.event(record)) {
                case TapeEvent.ToolStarted started -> open.add(started.callId());
                case TapeEvent.ToolCallOutput output -> open.remove(output.callId());
                default -> {} // not about a call that runs
            }
        } catch (PalyraException e) {
            return; // a record that cannot be read starts nothing that could be named
        }
    }
}
