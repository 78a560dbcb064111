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
     * @param left why not all is counted; empty when all is
     * @param used newest day first
     */
    record Report(
            LocalDate from, long runs, long withheld, String left, Map<Usage.Kind, Usage> used) {}

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
        Map<Usage.Kind, Usage> used = new TreeMap<>(ORDER);
        long runs = 0;
        long withheld = 0;
        String before = "";
        while (true) {
            String older = before;
            List<RunRow> page = journal.call(reader -> reader.runs("", "", older, PAGE));
            for (RunRow run : page) {
                if (run.createdAtMillis() < fromMillis) {
                    return new Report(from, runs, withheld, "", used);
                }
                if (runs == MOST_RUNS || used.size() > MOST_KINDS || stop.getAsBoolean()) {
                    return new Report(from, runs, withheld, left(run, runs), used);
                }
                withheld += add(run, from, used, stop);
                runs++;
            }
            if (page.isEmpty()) {
                return new Report(from, runs, withheld, "", used);
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

    /** Adds what a run used; returns how many of its turns are withheld. */
    private long add(
            RunRow run, LocalDate from, Map<Usage.Kind, Usage> used, BooleanSupplier stop) {
        RunUsage usage;
        synchronized (known) {
            usage = known.computeIfAbsent(run.runId(), id -> new RunUsage());
        }
        synchronized (usage) { // another report may read the same run now; it calls the journal
            while (usage.seq() < run.headSeq() && !stop.getAsBoolean()) {
                long after = usage.seq();
                List<TapeRecord> page =
                        journal.call(reader -> reader.tape(run.runId(), after, PAGE));
                if (page.isEmpty()) {
                    break;
                }
                usage.accept(page);
            }
            usage.used()
                    .forEach(
                            (kind, amount) -> {
                                if (!kind.day().isBefore(from)) {
                                    used.merge(kind, amount, Usage::plus);
                                }
                            });
            return usage.withheld();
        }
    }
}
