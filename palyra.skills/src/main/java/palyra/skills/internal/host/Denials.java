package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;

/**
 * Records what a skill asked for and did not get: the event {@code skill_capability_denied} of the
 * journal. At most {@link #MOST} for one call. A denial takes effect whether or not it can be
 * recorded. Thread-safe.
 */
public final class Denials {
    /** Type of the event. */
    public static final String TYPE = "skill_capability_denied";

    /** Most events for one call. */
    static final int MOST = 32;

    private static final Logger LOG = LoggerFactory.getLogger(Denials.class);
    private static final int MOST_CALLS = 1_024;

    private final Gate<Journal> journal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> counts = new LinkedHashMap<>(); // guarded by lock

    /** Creates a recorder. */
    public Denials(Gate<Journal> journal) {
        this.journal = journal;
    }

    void record(CallScope scope, String function, HostError denial) {
        if (!count(scope.callId())) {
            return;
        }
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("skill", scope.skill().skill());
        payload.put("version", scope.skill().version());
        payload.put("tool", scope.tool());
        payload.put("runId", scope.runId());
        payload.put("callId", scope.callId());
        payload.put("principal", scope.principal());
        payload.put("function", function);
        payload.put("grant", denial.grant());
        payload.put("reason", denial.getMessage());
        Unit unit =
                Unit.of(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM, TYPE, 1, Jcs.bytes(payload)));
        try {
            journal.run(store -> store.commit(unit));
        } catch (RuntimeException e) {
            LOG.warn(
                    "A denial of {} to {} was not recorded: {}",
                    function,
                    scope.skill(),
                    e.getMessage());
        }
    }

    private boolean count(String callId) {
        lock.lock();
        try {
            int count = counts.merge(callId, 1, Integer::sum);
            if (counts.size() > MOST_CALLS) {
                counts.remove(counts.keySet().iterator().next());
            }
            return count <= MOST;
        } finally {
            lock.unlock();
        }
    }
}
