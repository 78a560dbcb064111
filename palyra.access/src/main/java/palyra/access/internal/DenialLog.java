package palyra.access.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;

/**
 * Records denials, so many a second one by one; the rest, and those that the journal did not take,
 * are counted by action in a summary. A flood costs a bounded number of records and a bounded map.
 */
final class DenialLog {
    static final String SUMMARY = "access_denials_counted";

    private static final Logger LOG = LoggerFactory.getLogger(DenialLog.class);
    private static final long WINDOW_MILLIS = 1_000;
    private static final long RECORD_MILLIS = 2_000;
    private static final int MOST_ACTIONS = 64;
    private static final String OTHER = "other";

    private final Recorder recorder;
    private final IntSupplier perSecond;
    private final LongSupplier clock;
    private final Object lock = new Object();
    private long windowStart; // guarded by lock
    private int inWindow; // guarded by lock
    private long countedSince; // guarded by lock; 0 while nothing is counted
    private final Map<String, Long> counted = new TreeMap<>(); // guarded by lock
    private long total; // guarded by lock

    DenialLog(Recorder recorder, IntSupplier perSecond, LongSupplier clock) {
        this.recorder = recorder;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Records a denial and returns when it is durable or was counted; never throws. */
    void record(Operation.Append event, String action) {
        if (!takePlace()) {
            count(action, 1);
            return;
        }
        try {
            recorder.commitWithin(Unit.of(event), 0, RECORD_MILLIS);
        } catch (PalyraException e) {
            LOG.debug("A denial could not be recorded by itself and is counted.", e);
            count(action, 1);
        }
    }

    private boolean takePlace() {
        synchronized (lock) {
            total++;
            long now = clock.getAsLong();
            if (now - windowStart >= WINDOW_MILLIS || now < windowStart) {
                windowStart = now;
                inWindow = 0;
            }
            return ++inWindow <= perSecond.getAsInt();
        }
    }

    private void count(String action, long more) {
        synchronized (lock) {
            if (countedSince == 0) {
                countedSince = clock.getAsLong();
            }
            boolean room = counted.containsKey(action) || counted.size() < MOST_ACTIONS;
            counted.merge(room ? action : OTHER, more, Long::sum);
        }
    }

    /** Writes what was counted since the last summary; keeps counting when that fails. */
    void writeSummary() {
        Map<String, Long> actions;
        long since;
        synchronized (lock) {
            if (counted.isEmpty()) {
                return;
            }
            actions = new TreeMap<>(counted);
            since = countedSince;
            counted.clear();
            countedSince = 0;
        }
        boolean written = false;
        try {
            recorder.commitWithin(Unit.of(summary(actions, since)), 0, RECORD_MILLIS);
            written = true;
        } catch (PalyraException e) {
            LOG.debug("The summary of denials waits for the journal.", e);
        } finally {
            if (!written) {
                actions.forEach(this::count);
                synchronized (lock) {
                    countedSince = since;
                }
            }
        }
    }

    private Operation.Append summary(Map<String, Long> actions, long since) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("count", actions.values().stream().mapToLong(Long::longValue).sum());
        root.put("fromMillis", since);
        root.put("toMillis", clock.getAsLong());
        ObjectNode byAction = root.putObject("byAction");
        actions.forEach(byAction::put);
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, SUMMARY, 1, Jcs.bytes(root));
    }

    /** Returns how many denials there were since the start. */
    long total() {
        synchronized (lock) {
            return total;
        }
    }
}
