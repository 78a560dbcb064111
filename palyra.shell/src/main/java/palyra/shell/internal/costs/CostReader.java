package palyra.shell.internal.costs;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;

/**
 * Adds up what the tapes of runs say about their turns. What was read of a run is kept, for at most
 * {@value #MOST_RUNS} runs, so the next report reads what is new. Thread-safe.
 */
final class CostReader {
    static final int MOST_RUNS = 10_000;
    static final int MOST_KINDS = 5_000;
    private static final int PAGE = 500;
    private static final Comparator<Usage.Kind> ORDER =
            Comparator.comparing(Usage.Kind::day)
                    .reversed()
                    .thenComparing(Usage.Kind::agent)
                    .thenComparing(Usage.Kind::model)
                    .thenComparing(Usage.Kind::currency);

    private final Gate<Journal> journal;
    private final Map<String, RunUsage> known = // guarded by itself
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, RunUsage> eldest) {
                    return size() > MOST_RUNS;
                }
            };

    CostReader(Gate<Journal> journal) {
        this.journal = journal;
    }

    /**
     * What turns used.
     *
     * @param from first day
     * @param runs runs that were looked at
     * @param withheld turns whose record was erased
     * @param unreadable records of turns that are damaged
     * @param left why not all is counted; empty when all is
     * @param used newest day first
     */
    record Report(
            LocalDate from,
            long runs,
            long withheld,
            long unreadable,
            String left,
            Map<Usage.Kind, Usage> used) {}

    /** What was added up until now. */
    private static final class Sum {
        private final LocalDate from;
        private final Map<Usage.Kind, Usage> used = new TreeMap<>(ORDER);
        private long runs;
        private long withheld;
        private long unreadable;

        Sum(LocalDate from) {
            this.from = from;
        }

        void add(RunUsage usage) {
            runs++;
            withheld += usage.withheld();
            unreadable += usage.unreadable();
            usage.used()
                    .forEach(
                            (kind, amount) -> {
                                if (!kind.day().isBefore(from)) {
                                    used.merge(kind, amount, Usage::plus);
                                }
                            });
        }

        Report report(String left) {
            return new Report(from, runs, withheld, unreadable, left, used);
        }
    }

    /**
     * Reads the runs that began in the last days, newest first, until {@code stop}.
     *
     * @param days how many, today included
     */
    Report read(int days, long nowMillis, BooleanSupplier stop) {
        LocalDate from =
                LocalDate.ofInstant(Instant.ofEpochMilli(nowMillis), ZoneOffset.UTC)
                        .minusDays(days - 1L);
        long fromMillis = from.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        Sum sum = new Sum(from);
        String before = "";
        while (true) {
            String older = before;
            List<RunRow> page = journal.call(reader -> reader.runs("", "", older, PAGE));
            for (RunRow run : page) {
                if (run.createdAtMillis() < fromMillis) {
                    return sum.report("");
                }
                boolean full = sum.runs == MOST_RUNS || sum.used.size() > MOST_KINDS;
                if (full || stop.getAsBoolean() || !add(run, sum, stop)) {
                    return sum.report(left(run, sum.runs));
                }
            }
            if (page.isEmpty()) {
                return sum.report("");
            }
            before = page.get(page.size() - 1).runId();
        }
    }

    private static String left(RunRow next, long runs) {
        String when =
                LocalDate.ofInstant(Instant.ofEpochMilli(next.createdAtMillis()), ZoneOffset.UTC)
                        .toString();
        return runs == MOST_RUNS
                ? "Counted are the newest "
                        + MOST_RUNS
                        + " runs; those that began before "
                        + when
                        + " are left out."
                : "Not all is counted yet: runs that began on "
                        + when
                        + " and before are left out. Asked again, it goes on from there.";
    }

    /**
     * Adds what a run used. Returns false, and adds nothing, when it was told to stop before the
     * run was read to its head: a part of a run would pass for all of it.
     */
    private boolean add(RunRow run, Sum sum, BooleanSupplier stop) {
        RunUsage usage;
        synchronized (known) {
            usage = known.computeIfAbsent(run.runId(), id -> new RunUsage());
        }
        synchronized (usage) { // another report may read the same run now; it calls the journal
            while (usage.seq() < run.headSeq()) {
                if (stop.getAsBoolean()) {
                    return false;
                }
                long after = usage.seq();
                List<TapeRecord> page =
                        journal.call(reader -> reader.tape(run.runId(), after, PAGE));
                if (page.isEmpty()) {
                    break;
                }
                usage.accept(page);
            }
            sum.add(usage);
            return true;
        }
    }
}
