package palyra.retention.internal;

import java.util.Map;

/**
 * What was removed of a kind.
 *
 * @param runs runs of which payloads were erased
 * @param records records whose payload was erased
 * @param rows rows that were dropped
 * @param bytes payload bytes erased from tapes
 * @param skipped runs and rows that could not be removed; the next sweep tries them again
 * @param problem why the last of them could not; empty when none was skipped
 */
record Removed(long runs, long records, long rows, long bytes, long skipped, String problem) {
    static final Removed NOTHING = new Removed(0, 0, 0, 0, 0, "");

    static Removed erased(long bytes) {
        return new Removed(0, 1, 0, bytes, 0, "");
    }

    static Removed ofRun() {
        return new Removed(1, 0, 0, 0, 0, "");
    }

    static Removed dropped(long rows) {
        return new Removed(0, 0, rows, 0, 0, "");
    }

    static Removed skipped(String problem) {
        return new Removed(0, 0, 0, 0, 1, problem);
    }

    Removed plus(Removed more) {
        return new Removed(
                runs + more.runs,
                records + more.records,
                rows + more.rows,
                bytes + more.bytes,
                skipped + more.skipped,
                more.problem.isEmpty() ? problem : more.problem);
    }

    static Removed sum(Map<Kind, Removed> parts) {
        return parts.values().stream().reduce(NOTHING, Removed::plus);
    }

    boolean isNothing() {
        return runs == 0 && records == 0 && rows == 0;
    }
}
