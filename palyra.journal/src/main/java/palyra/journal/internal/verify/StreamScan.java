package palyra.journal.internal.verify;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
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
 * Verifies streams, a page at a time, up to the first fault. Short streams that are neighbours in
 * the database are read together; one that is not as it should be, or grows meanwhile, is then read
 * again by itself. One caller owns it; its steps run on threads of the read pool, one after the
 * other.
 */
final class StreamScan {
    private static final int PAGE = 500;
    private static final int MOST_NEIGHBOURS = 64;
    private static final int ROW_BYTES = 220; // of a record, without its payload

    private final TapeReader tapes;
    private final Supplier<HeadKeys> keys;
    private final LongPredicate covered;
    private final ArrayDeque<VerifyTable.Target> targets;
    private VerifyTable.Target target; // null between streams
    private StreamVerifier verifier;
    private boolean together; // whether neighbours are being read
    private int alone; // streams that are read by themselves before neighbours are again
    private int page = PAGE;
    private long streams;
    private long records;
    private long bytes;
    private long withheld;
    private long seals;
    private Judgement judgement = Judgement.NONE;
    private Optional<Fault> fault = Optional.empty();
    private boolean done;

    /**
     * Begins before the first of these streams.
     *
     * @param keys asked when a signature is met
     * @param covered whether a checkpoint of that number was verified: the signatures of the seals
     *     that it covers need no look
     */
    StreamScan(
            TapeReader tapes,
            Supplier<HeadKeys> keys,
            LongPredicate covered,
            List<VerifyTable.Target> targets) {
        this.tapes = tapes;
        this.keys = keys;
        this.covered = covered;
        this.targets = new ArrayDeque<>(targets);
    }

    /** Takes a step; each is one short read. */
    void advance(Tables tables) throws SQLException {
        if (target != null) {
            nextPage(tables);
        } else if (targets.isEmpty()) {
            done = true;
        } else {
            int count = alone > 0 ? 1 : neighbours();
            if (count > 1) {
                nextNeighbours(tables, count);
            } else {
                alone = Math.max(0, alone - 1);
                target = targets.poll();
                verifier = target.begin();
            }
        }
    }

    /** Returns how many of the next streams are short and follow each other in the database. */
    private int neighbours() {
        int count = 0;
        long sum = 0;
        long streamNo = targets.peek().streamNo();
        for (VerifyTable.Target next : targets) {
            sum += next.headSeq();
            if (count == MOST_NEIGHBOURS
                    || sum > PAGE
                    || next.headSeq() < 1
                    || next.knownSeq() > 0
                    || next.streamNo() != streamNo + count) {
                break;
            }
            count++;
        }
        return count;
    }

    private void nextNeighbours(Tables tables, int count) throws SQLException {
        List<VerifyTable.Target> group = targets.stream().limit(count).toList();
        long expected = group.stream().mapToLong(VerifyTable.Target::headSeq).sum();
        together = true;
        List<TapeTable.Numbered> rows =
                tables.tape()
                        .neighbours(
                                group.stream().map(VerifyTable.Target::streamId).toList(),
                                group.getFirst().streamNo(),
                                (int) expected + 1);
        int at = 0;
        for (VerifyTable.Target next : group) {
            int end = at;
            while (end < rows.size() && rows.get(end).streamNo() == next.streamNo()) {
                end++;
            }
            if (end - at != next.headSeq() || !isIntact(tables, next, rows.subList(at, end))) {
                break;
            }
            at = end;
        }
        together = false;
        if (at < rows.size() || rows.size() < expected) {
            alone = 1; // the stream at which it ended tells by itself what is wrong
        }
    }

    /** Verifies a stream of which all records are there; counts it unless there is a fault. */
    private boolean isIntact(Tables tables, VerifyTable.Target of, List<TapeTable.Numbered> rows)
            throws SQLException {
        StreamVerifier all = of.begin();
        for (TapeTable.Numbered each : rows) {
            if (!all.accept(whole(tables, of, each.row()))) {
                return false;
            }
        }
        expectEnd(of, all);
        if (all.fault().isPresent()) {
            return false;
        }
        targets.poll();
        add(all.report(true));
        return true;
    }

    private TapeRecord whole(Tables tables, VerifyTable.Target of, TapeTable.Row row)
            throws SQLException {
        TapeRecord record = tapes.whole(tables, of.streamNo(), row);
        bytes += ROW_BYTES + (record.payload() == null ? 0 : record.payload().length);
        return record;
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
            if (!verifier.accept(whole(tables, target, row))) {
                return false;
            }
        }
        return rows.size() == limit;
    }

    private void finish(Tables tables) throws SQLException {
        if (target.headSeq() < 0) {
            verifier.headLost();
        }
        verifier.expectHead(target.headSeq(), target.headHash()); // before what follows it
        if (new VerifyTable(tables.sql()).hasMoreThanHead(target.streamNo())) {
            verifier.surplus();
        }
        expectEnd(target, verifier);
        add(verifier.report(true));
    }

    /** The stream must end with the record that the store remembers and, once ended, signed. */
    private void expectEnd(VerifyTable.Target of, StreamVerifier by) {
        by.expectHead(of.headSeq(), of.headHash());
        if (of.seal().isEmpty()) {
            if (of.ended()) {
                by.unsealed();
            }
        } else if (covered.test(of.checkpoint())) {
            by.expectCovered(of.seal().get());
        } else if (by.fault().isEmpty()) {
            by.expectSeal(of.seal().get(), keys.get());
        }
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
        if (together) {
            together = false;
            alone = MOST_NEIGHBOURS;
        } else if (target == null) { // not even the connection can be opened
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

    /** Returns about how many bytes were read. */
    long bytes() {
        return bytes;
    }

    /** Returns how many records were verified so far. */
    long records() {
        return records + (target == null ? 0 : verifier.records());
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
