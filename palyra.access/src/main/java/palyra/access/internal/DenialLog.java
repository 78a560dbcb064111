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
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;

/**
 * Records denials, so many a second and so many of a principal an hour one by one; the rest, and
 * those that the journal did not take, are counted by action and principal in a summary. A flood
 * costs a bounded number of records and bounded maps, also over days: summaries that follow one
 * another come at growing distances.
 */
final class DenialLog {
    static final String SUMMARY = "access_denials_counted";

    private static final Logger LOG = LoggerFactory.getLogger(DenialLog.class);
    private static final long WINDOW_MILLIS = 1_000;
    private static final long RECORD_MILLIS = 2_000;
    private static final int MOST_NAMED = 64;
    private static final long FIRST_PAUSE_MILLIS = 2_000;
    private static final long LAST_PAUSE_MILLIS = 600_000;
    private static final String OTHER = "other";

    private final Recorder recorder;
    private final IntSupplier perSecond;
    private final LongSupplier clock;
    private final Object lock = new Object();
    private long windowStart; // guarded by lock
    private int inWindow; // guarded by lock
    private long countedSince; // guarded by lock; 0 while nothing is counted
    private final Map<String, Long> counted = new TreeMap<>(); // by action; guarded by lock
    private final Map<String, Long> principals = new TreeMap<>(); // likewise
    private final DenialQuota quota = new DenialQuota(); // likewise
    private long summaryAt; // when the last summary was written; guarded by lock
    private long pause = FIRST_PAUSE_MILLIS; // until the next one; guarded by lock
    private long total; // guarded by lock

    DenialLog(Recorder recorder, IntSupplier perSecond, LongSupplier clock) {
        this.recorder = recorder;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Records a denial and returns when it is durable or was counted; never throws. */
    void record(Operation.Append event, AccessRequest request, String ruleId) {
        String principal = request.principal().id();
        if (!takePlace(event, principal, request.action(), ruleId)) {
            count(request.action(), principal);
            return;
        }
        try {
            recorder.commitWithin(Unit.of(event), 0, RECORD_MILLIS);
        } catch (PalyraException e) {
            LOG.debug("A denial could not be recorded by itself and is counted.", e);
            count(request.action(), principal);
        }
    }

    private boolean takePlace(
            Operation.Append event, String principal, String action, String ruleId) {
        synchronized (lock) {
            total++;
            long now = clock.getAsLong();
            if (now - windowStart >= WINDOW_MILLIS || now < windowStart) {
                windowStart = now;
                inWindow = 0;
            }
            return ++inWindow <= perSecond.getAsInt()
                    && quota.take(principal, action, ruleId, event.payload().length, now);
        }
    }

    private void count(String action, String principal) {
        synchronized (lock) {
            if (countedSince == 0) {
                countedSince = clock.getAsLong();
            }
            add(counted, action, 1);
            add(principals, principal, 1);
        }
    }

    private static void add(Map<String, Long> counts, String name, long more) {
        boolean room = counts.containsKey(name) || counts.size() < MOST_NAMED;
        counts.merge(room ? name : OTHER, more, Long::sum);
    }

    /** Writes a summary when one is due. */
    void writeSummary() {
        synchronized (lock) {
            long since = clock.getAsLong() - summaryAt;
            if (since >= 0 && since < pause) {
                return;
            }
            if (counted.isEmpty()) {
                pause = FIRST_PAUSE_MILLIS;
                return;
            }
        }
        writeCounted();
    }

    /** Writes what was counted since the last summary; keeps counting when that fails. */
    void writeCounted() {
        Map<String, Long> actions;
        Map<String, Long> people;
        long since;
        synchronized (lock) {
            if (counted.isEmpty()) {
                return;
            }
            actions = new TreeMap<>(counted);
            people = new TreeMap<>(principals);
            since = countedSince;
            counted.clear();
            principals.clear();
            countedSince = 0;
        }
        boolean written = false;
        try {
            recorder.commitWithin(Unit.of(summary(actions, people, since)), 0, RECORD_MILLIS);
            written = true;
        } catch (PalyraException e) {
            LOG.debug("The summary of denials waits for the journal.", e);
        } finally {
            synchronized (lock) {
                if (written) {
                    summaryAt = clock.getAsLong();
                    pause = Math.min(2 * pause, LAST_PAUSE_MILLIS);
                } else {
                    actions.forEach((action, more) -> add(counted, action, more));
                    people.forEach((principal, more) -> add(principals, principal, more));
                    countedSince = since;
                }
            }
        }
    }

    private Operation.Append summary(
            Map<String, Long> actions, Map<String, Long> people, long since) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("count", actions.values().stream().mapToLong(Long::longValue).sum());
        root.put("fromMillis", since);
        root.put("toMillis", clock.getAsLong());
        ObjectNode byAction = root.putObject("byAction");
        actions.forEach(byAction::put);
        ObjectNode byPrincipal = root.putObject("byPrincipal");
        people.forEach(byPrincipal::put);
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, SUMMARY, 1, Jcs.bytes(root));
    }

    /** Returns how many denials there were since the start. */
    long total() {
        synchronized (lock) {
            return total;
        }
    }
}
