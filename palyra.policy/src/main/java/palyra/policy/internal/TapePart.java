package palyra.policy.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;

/** Reads a part of a tape, whose pages are bounded in bytes as well. */
public final class TapePart {
    private TapePart() {}

    /** Returns up to {@code count} records after {@code after}, in order. */
    public static List<TapeRecord> read(
            Gate<Journal> journal, String streamId, long after, int count) {
        List<TapeRecord> records = new ArrayList<>();
        while (records.size() < count) {
            long from = records.isEmpty() ? after : records.getLast().seq();
            int limit = count - records.size();
            List<TapeRecord> page = journal.call(j -> j.tape(streamId, from, limit));
            if (page.isEmpty()) {
                break;
            }
            records.addAll(page);
        }
        return records;
    }
}
