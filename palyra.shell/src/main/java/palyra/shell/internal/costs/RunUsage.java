package palyra.shell.internal.costs;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/**
 * What the turns of a run used, up to the record that was read last. Reading goes on from there, so
 * what was read once is not read again. Guarded by itself.
 */
final class RunUsage {
    private static final String STARTED = "turn_started";
    private static final String FINISHED = "turn_finished";

    private final Map<Usage.Kind, Usage> used = new HashMap<>();
    private long seq;
    private long withheld;
    private String agent = "";
    private String model = "";

    /** Returns the number of the last record that was read. */
    long seq() {
        return seq;
    }

    /** Returns how many turns ended of which the record was erased. */
    long withheld() {
        return withheld;
    }

    /** Returns what was used, by kind. */
    Map<Usage.Kind, Usage> used() {
        return used;
    }

    /** Takes the next records. */
    void accept(List<TapeRecord> page) {
        for (TapeRecord record : page) {
            seq = record.seq();
            boolean ofTurn = record.type().equals(STARTED) || record.type().equals(FINISHED);
            if (ofTurn && record.payload() == null) {
                withheld += record.type().equals(FINISHED) ? 1 : 0;
            } else if (ofTurn) {
                accept(TapeCodec.event(record), record.timeMillis());
            }
        }
    }

    private void accept(TapeEvent event, long timeMillis) {
        if (event instanceof TapeEvent.TurnStarted started) {
            agent = started.agentId();
            model =
                    started.model().isEmpty()
                            ? started.provider()
                            : started.provider() + "/" + started.model();
        } else if (event instanceof TapeEvent.TurnFinished turn) {
            LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(timeMillis), ZoneOffset.UTC);
            used.merge(
                    new Usage.Kind(day, agent, model, turn.currency()),
                    new Usage(
                            1,
                            turn.inputTokens(),
                            turn.cachedInputTokens(),
                            turn.outputTokens(),
                            turn.costMicros()),
                    Usage::plus);
        }
    }
}
