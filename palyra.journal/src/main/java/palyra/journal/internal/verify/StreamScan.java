package palyra.journal.internal.verify;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Judgement;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.read.TapeReader;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.journal.internal.table.VerifyTable;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/**
 * Verifies streams, a page at a time, up to the first fault. One caller owns it; its steps run on
 * threads of the read pool, one after the other.
 */
final class StreamScan {
    private static final int PAGE = 500;

    private final TapeReader tapes;
    private final Supplier<HeadKeys> keys;
    private final ArrayDeque<VerifyTable.Target> targets;
    private VerifyTable.Target target; // null between streams
    private StreamVerifier verifier;
    private int page = PAGE;
    private long streams;
    private long records;
    private long withheld;
    private long seals;
    private Judgement judgement = Judgement.NONE;
    private Optional<Fault> fault = Optional.empty();
    private boolean done;

    /**
     * Begins before the first of these streams.
     *
     * @param keys asked when a signature is met
     */
    StreamScan(TapeReader tapes, Supplier<HeadKeys> keys, List<VerifyTable.Target> targets) {
        this.tapes = tapes;
        this.keys = keys;
        this.targets = new ArrayDeque<>(targets);
    }

    /** Takes a step; each is one short read. */
    void advance(Tables tables) throws SQLException {
        if (target != null) {
            nextPage(tables);
        } else if (!targets.isEmpty()) {
            target = targets.poll();
            verifier = StreamVerifier.from(target.streamId(), target.genesis());
        } else {
            done = true;
        }
    }

    private void nextPage(Tables tables) throws SQLException {
        long from = verifier.seq();
        int limit = (int) Math.min(page, target.headSeq() - from);
        if (limit <= 0 || !accept(tables, from, limit)) {
            finish(tables);
        }
    }

    /** Returns false at a fault or when the tape ends too early. */
    private boolean accept(Tables tables, long from, int limit) throws SQLException {
        List<TapeTable.Row> rows =
                tables.tape().page(target.streamId(), target.streamNo(), from, limit);
        for (TapeTable.Row row : rows) {
            if (!verifier.accept(tapes.whole(tables, target.streamNo(), row))) {
                return false;
            }
        }
        return rows.size() == limit;
    }

    private void finish(Tables tables) throws SQLException {
        if (target.headSeq() < 0) {
            verifier.headLost();
        }
        verifier.expectHead(target.headSeq(), target.headHash());
        if (new VerifyTable(tables.sql()).hasMoreThanHead(target.streamNo())) {
            verifier.surplus();
        }
        if (target.seal().isPresent() && verifier.fault().isEmpty()) {
            verifier.expectSeal(target.seal().get(), keys.get());
        } else if (target.ended()) {
            verifier.unsealed();
        }
        add(verifier.report(true));
    }

    private void add(VerificationReport stream) {
        streams++;
        records += stream.records();
        withheld += stream.withheld();
        seals += stream.seals();
        judgement = judgement.plus(stream.judgement());
        fault = stream.fault();
        done |= fault.isPresent();
        target = null;
        page = PAGE;
    }

    /** What was to be read is damaged: first closes in on the record, then names it. */
    void damaged(String detail) {
        if (target == null) { // not even the connection can be opened
            String where =
                    targets.isEmpty() ? TapeRecord.JOURNAL_STREAM : targets.peek().streamId();
            fault = Optional.of(new Fault(where, 0, Kind.UNREADABLE, detail));
            done = true;
        } else if (page > 1) {
            page = 1;
        } else {
            verifier.unreadable(detail);
            add(verifier.report(true));
        }
    }

    boolean done() {
        return done;
    }

    VerificationReport report() {
        VerificationReport running =
                target == null
                        ? new VerificationReport(0, 0, 0, 0, false, Optional.empty())
                        : verifier.report(false);
        return new VerificationReport(
                streams + running.streams(),
                records + running.records(),
                withheld + running.withheld(),
                seals,
                done,
                fault,
                judgement.plus(running.judgement()));
    }
}
