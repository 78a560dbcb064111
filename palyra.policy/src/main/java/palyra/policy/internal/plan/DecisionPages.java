package palyra.policy.internal.plan;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeRecord;
import palyra.policy.internal.TapePart;
import palyra.shared.gate.Gate;

/**
 * Recorded decisions page by page, newest first: those about actions from the journal's own stream,
 * those about tool calls from the tapes of runs, always the later of the two. Holds one page of
 * each. Used by one thread.
 */
final class DecisionPages {
    /** What was met on the way. */
    static final class Counts {
        long broken;
        long read;
    }

    private static final int PAGE = 1_000;

    private final Gate<Journal> journal;
    private final long sinceMillis;
    private final Counts counts = new Counts();
    private final Stream actions;
    private final Runs runs;

    DecisionPages(Gate<Journal> journal, long sinceMillis) {
        this.journal = journal;
        this.sinceMillis = sinceMillis;
        this.actions = new Stream(TapeRecord.JOURNAL_STREAM, head(TapeRecord.JOURNAL_STREAM));
        this.runs = new Runs();
    }

    private long head(String stream) {
        return journal.call(j -> j.headSeq(stream));
    }

    Counts counts() {
        return counts;
    }

    /** Returns the next decisions, at most {@code most}; empty at the end. */
    List<RecordedDecision> next(int most) {
        List<RecordedDecision> found = new ArrayList<>();
        while (found.size() < most) {
            RecordedDecision action = actions.peek();
            RecordedDecision call = runs.peek();
            if (action == null && call == null) {
                break;
            }
            boolean later =
                    call == null || (action != null && action.timeMillis() >= call.timeMillis());
            found.add(later ? actions.take() : runs.take());
        }
        return found;
    }

    /** Decisions of one stream, from its end. */
    private final class Stream {
        private final String id;
        private long before;
        private List<RecordedDecision> page = List.of();

        Stream(String id, long head) {
            this.id = id;
            this.before = head + 1;
        }

        RecordedDecision peek() {
            while (page.isEmpty() && before > 1) {
                load();
            }
            return page.isEmpty() ? null : page.getLast();
        }

        RecordedDecision take() {
            return page.removeLast();
        }

        private void load() {
            long after = Math.max(0, before - 1 - PAGE);
            int limit = (int) (before - 1 - after);
            List<TapeRecord> records = TapePart.read(journal, id, after, limit);
            page = new ArrayList<>();
            boolean tooOld = false;
            for (TapeRecord record : records) {
                if (record.timeMillis() < sinceMillis) {
                    tooOld = true;
                } else if (record.seq() < before) {
                    add(record);
                }
            }
            before = tooOld ? 0 : after + 1;
        }

        private void add(TapeRecord record) {
            counts.read++;
            try {
                RecordReader.read(record).ifPresent(page::add);
            } catch (RecordReader.BrokenException e) {
                counts.broken++;
            }
        }
    }

    /** Decisions of all runs, the newest run first. */
    private final class Runs {
        private List<RunRow> page = new ArrayList<>();
        private String beforeId = "";
        private boolean ended;
        private Stream run;

        RecordedDecision peek() {
            while (true) {
                RecordedDecision next = run == null ? null : run.peek();
                if (next != null) {
                    return next;
                }
                if (!advance()) {
                    return null;
                }
            }
        }

        RecordedDecision take() {
            return run.take();
        }

        /** A run that began long ago may have gone on since. */
        private boolean advance() {
            run = null;
            while (run == null) {
                if (page.isEmpty() && !load()) {
                    return false;
                }
                RunRow row = page.removeFirst();
                if (row.updatedAtMillis() >= sinceMillis) {
                    run = new Stream(row.runId(), row.headSeq());
                }
            }
            return true;
        }

        private boolean load() {
            if (ended) {
                return false;
            }
            page = new ArrayList<>(journal.call(j -> j.runs("", "", beforeId, PAGE)));
            ended = page.size() < PAGE;
            beforeId = page.isEmpty() ? "" : page.getLast().runId();
            return !page.isEmpty();
        }
    }
}
