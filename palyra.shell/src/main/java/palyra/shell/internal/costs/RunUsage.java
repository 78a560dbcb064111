package palyra.shell.internal.costs;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/**
 * What the turns of a run used, up to the record that was read last. Reading goes on from there, so
 * what was read once is not read again. Guarded by itself.
 */
final class RunUsage {
    private static final Logger LOG = LoggerFactory.getLogger(RunUsage.class);
    private static final String STARTED = "turn_started";
    private static final String FINISHED = "turn_finished";

    private final Map<Usage.Kind, Usage> used = new HashMap<>();
    private long seq;
    private long withheld;
    private long unreadable;
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

    /** Returns how many records of turns are damaged, so that what they say is not known. */
    long unreadable() {
        return unreadable;
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
                read(record);
            }
        }
    }

    /** One damaged record takes no report of all other turns away. */
    private void read(TapeRecord record) {
        try {
            accept(TapeCodec.event(record), record.timeMillis());
        } catch (RuntimeException e) {
            LOG.debug("Record {} of run {} cannot be read", record.seq(), record.streamId(), e);
            unreadable++;
            if (record.type().equals(STARTED)) {
                agent = ""; // the turn is not one of the agent and model before
                model = "";
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
