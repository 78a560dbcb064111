package palyra.retention.internal;

import java.util.List;
import java.util.function.BooleanSupplier;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.SettledKind;
import palyra.shared.gate.Gate;

/** Settled rows that are older than a time. One thread uses it. */
final class DueRows {
    private static final int PAGE = 200;

    private final Gate<Journal> journal;
    private final Kind kind;
    private final long before;

    DueRows(Gate<Journal> journal, Kind kind, long before) {
        this.journal = journal;
        this.kind = kind;
        this.before = before;
    }

    /** Takes what removes one row. */
    @FunctionalInterface
    interface Sink {
        void add(String id, List<Operation> operations, Removed removes);
    }

    void each(BooleanSupplier goesOn, Sink sink) {
        for (SettledKind rows : kind.rows()) {
            each(rows, goesOn, sink);
        }
    }

    private void each(SettledKind rows, BooleanSupplier goesOn, Sink sink) {
        String[] after = {""};
        while (goesOn.getAsBoolean()) {
            List<String> page = journal.call(j -> j.settled(rows, before, after[0], PAGE));
            for (String id : page) {
                sink.add(
                        id,
                        List.of(new Operation.DropSettled(rows, id, before)),
                        Removed.dropped(1));
            }
            if (page.size() < PAGE) {
                return;
            }
            after[0] = page.getLast();
        }
    }

    /** Returns how many there are, at most {@code most}. */
    long count(long most, BooleanSupplier stopped) {
        long[] count = {0};
        each(
                () -> count[0] < most && !stopped.getAsBoolean(),
                (id, operations, removes) -> count[0]++);
        return Math.min(most, count[0]);
    }
}
