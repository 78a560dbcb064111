package palyra.journal.internal.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.VerificationReport.Fault;

/**
 * What the scrub found and has not found intact since, and how its last pass ended: for operators.
 * Thread-safe.
 */
public final class ScrubReport {
    private static final int MOST = 100;

    private final Map<String, Fault> faults = new LinkedHashMap<>(); // guarded by this
    private final LongAdder bytes = new LongAdder();
    private long endedAtMillis; // guarded by this; 0 when none has ended
    private long endedRecords; // guarded by this

    /** Takes over what is stored. */
    synchronized void load(List<Fault> stored, long endedAt, long records) {
        stored.forEach(fault -> faults.put(fault.streamId(), fault));
        endedAtMillis = endedAt;
        endedRecords = records;
    }

    /** Returns whether that was not known. */
    synchronized boolean found(Fault fault) {
        if (faults.size() >= MOST && !faults.containsKey(fault.streamId())) {
            return false;
        }
        return !fault.equals(faults.put(fault.streamId(), fault));
    }

    /** Returns whether a fault was known of what is intact now. */
    synchronized boolean intact(String place) {
        return faults.remove(place) != null;
    }

    /** Returns the places of faults that begin so. */
    synchronized List<String> places(String prefix) {
        return faults.keySet().stream().filter(place -> place.startsWith(prefix)).toList();
    }

    synchronized void ended(long atMillis, long records) {
        endedAtMillis = atMillis;
        endedRecords = records;
    }

    synchronized long endedAtMillis() {
        return endedAtMillis;
    }

    synchronized long endedRecords() {
        return endedRecords;
    }

    void read(long count) {
        bytes.add(count);
    }

    /** Returns about how many bytes were read since the process began. */
    public long bytes() {
        return bytes.sum();
    }

    /**
     * Returns how the last pass ended and how much is found damaged; empty before the first end.
     */
    public synchronized Optional<JournalStatus.Scrub> last() {
        return endedAtMillis == 0
                ? Optional.empty()
                : Optional.of(new JournalStatus.Scrub(endedAtMillis, endedRecords, faults.size()));
    }

    /** Returns how many places are damaged. */
    public synchronized int count() {
        return faults.size();
    }

    /** Returns one sentence for each damaged place. */
    public synchronized List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Fault fault : faults.values()) {
            sentences.add(
                    "The journal's scrub found damage "
                            + (fault.seq() > 0 ? "at record " + fault.seq() + " of " : "in ")
                            + fault.streamId()
                            + " ("
                            + fault.kind()
                            + "): "
                            + fault.detail()
                            + ".");
        }
        return sentences;
    }
}
