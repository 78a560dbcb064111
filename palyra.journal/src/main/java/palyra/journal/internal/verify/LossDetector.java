package palyra.journal.internal.verify;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.table.KnownLosses;
import palyra.journal.internal.table.LostTable;
import palyra.journal.internal.table.StreamHeads;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.WriteQueue;

/**
 * Looks for rows of runs that are lost, a page at each tick of the upkeep, and has heads made again
 * that the tape proves. Starts over some hours after everything was checked. Used by the upkeep's
 * thread alone.
 */
public final class LossDetector {
    private static final Logger LOG = LoggerFactory.getLogger(LossDetector.class);
    private static final int PAGE = 500;
    private static final int MOST_REPAIRS = 1_000;
    private static final long REST_NANOS = 6L * 3_600 * 1_000_000_000;

    private final ReadPool readers;
    private final KnownLosses losses;
    private final HeadRepair repair;
    private final WriteQueue queue;
    private final ArrayDeque<LostTable.Pair> headless = new ArrayDeque<>();
    private Look look = Look.HEADS;
    private long lastNo;
    private String lastRunId = "";
    private long restsSince;

    public LossDetector(ReadPool readers, KnownLosses losses, HeadRepair repair, WriteQueue queue) {
        this.readers = readers;
        this.losses = losses;
        this.repair = repair;
        this.queue = queue;
    }

    /** What is looked at, in this order. */
    private enum Look {
        HEADS,
        RUNS,
        TAPES,
        QUESTIONS,
        MESSAGES,
        REST
    }

    /** Takes one step; what fails is tried again at the next. */
    public void step() {
        try {
            if (repair.working() || !headless.isEmpty()) {
                repair();
            } else if (look != Look.REST) {
                page();
            } else if (System.nanoTime() - restsSince > REST_NANOS) {
                look = Look.HEADS;
            }
        } catch (PalyraException e) {
            LOG.debug("Looking for lost rows failed for now: {}", e.getMessage());
        }
    }

    private void repair() {
        if (!repair.working()) {
            repair.begin(headless.poll());
        }
        repair.step();
    }

    private void page() {
        switch (look) {
            case HEADS -> heads(numbered(LostTable::heads));
            case RUNS ->
                    numbered(LostTable::runs).stream()
                            .filter(LostTable.Pair::lost)
                            .forEach(this::run);
            case TAPES ->
                    numbered(LostTable::tapes).stream()
                            .filter(LostTable.Pair::lost)
                            .forEach(this::tape);
            case QUESTIONS ->
                    numbered(LostTable::questions).stream()
                            .filter(LostTable.Pair::lost)
                            .forEach(this::question);
            case MESSAGES -> messages();
            case REST -> throw new IllegalStateException("nothing is looked at while it rests");
        }
    }

    /** Reads a page of what goes by stream numbers. */
    private interface Numbered {
        List<LostTable.Pair> page(LostTable table, long afterNo, int limit) throws SQLException;
    }

    private List<LostTable.Pair> numbered(Numbered what) {
        long after = Math.max(lastNo, StreamHeads.JOURNAL_NO);
        List<LostTable.Pair> page =
                readers.read(tables -> what.page(new LostTable(tables.sql()), after, PAGE));
        if (page.size() < PAGE) {
            next();
        } else {
            lastNo = page.getLast().streamNo();
        }
        return page;
    }

    private void next() {
        look = Look.values()[look.ordinal() + 1];
        lastNo = 0;
        lastRunId = "";
        if (look == Look.REST) {
            losses.looked();
            restsSince = System.nanoTime();
        }
    }

    private void heads(List<LostTable.Pair> page) {
        for (LostTable.Pair pair : page) {
            if (pair.lost()) {
                losses.found(HeadRepair.name(pair), HeadRepair.sentence(pair, "it is looked into"));
                if (headless.size() < MOST_REPAIRS) {
                    headless.add(pair);
                }
            }
        }
    }

    private void run(LostTable.Pair pair) {
        losses.found(
                "stream " + pair.streamNo(),
                "The journal lost the row of the run that is stream "
                        + pair.streamNo()
                        + " (table runs); its head and its tape are there. "
                        + KnownLosses.RESTORE);
    }

    private void tape(LostTable.Pair pair) {
        losses.found(
                "stream " + pair.streamNo(),
                "The journal lost the rows of the run that is stream "
                        + pair.streamNo()
                        + " (tables runs and heads); records of its tape are there. "
                        + KnownLosses.RESTORE);
    }

    /** The run is worked on again: its engine treats a missing approval request as denied. */
    private void question(LostTable.Pair pair) {
        losses.found(
                "approval request of run " + pair.runId(),
                "The journal lost the approval request that run "
                        + pair.runId()
                        + " waited for (table approvals): its call is denied, and the run continues. "
                        + "Look at the medium, and run palyra tape verify.");
        queue.offer(
                new Ticket<>(
                        context -> {
                            context.tables().runs().answered(pair.runId());
                            return true;
                        },
                        Unit.Lane.BULK,
                        true));
    }

    private void messages() {
        String after = lastRunId;
        List<LostTable.Routed> page =
                readers.read(tables -> new LostTable(tables.sql()).messages(after, PAGE));
        page.stream()
                .filter(LostTable.Routed::lost)
                .forEach(message -> losses.found(message.run()));
        if (page.size() < PAGE) {
            next();
        } else {
            lastRunId = page.getLast().run().runId();
        }
    }
}
