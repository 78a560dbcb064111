package palyra.journal.internal;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/**
 * Goes through streams, a page at a time, up to the first fault. One caller owns it; its steps run
 * on threads of the read pool, one after the other.
 */
final class Walk {
    private static final int PAGE = 500;
    private static final int TARGETS = 256;
    private static final long KEYS_MILLIS = 2_000;

    private final TapeReader tapes;
    private final HeadSigner signer;
    private final ArrayDeque<VerifyTable.Target> targets = new ArrayDeque<>();
    private boolean allRuns;
    private String lastRun = "";
    private VerifyTable.Target target; // null between streams
    private StreamVerifier verifier;
    private HeadKeys keys; // null until a signature is met
    private int page = PAGE;
    private long streams;
    private long records;
    private long withheld;
    private long seals;
    private Optional<Fault> fault = Optional.empty();
    private boolean done;

    Walk(TapeReader tapes, HeadSigner signer) {
        this.tapes = tapes;
        this.signer = signer;
    }

    /** Goes through one stream. */
    void only(VerifyTable.Target stream) {
        targets.add(stream);
    }

    /** Goes through the journal's own stream and every run. */
    void all(VerifyTable.Target journal) {
        targets.add(journal);
        allRuns = true;
    }

    /** Takes a step; each is one short read. */
    void advance(Tables tables) throws SQLException {
        if (target != null) {
            nextPage(tables);
        } else if (!targets.isEmpty()) {
            target = targets.poll();
            verifier = StreamVerifier.from(target.streamId(), target.genesis());
        } else if (allRuns) {
            nextRuns(tables);
        } else {
            done = true;
        }
    }

    private void nextRuns(Tables tables) throws SQLException {
        List<VerifyTable.Target> more = new VerifyTable(tables.sql()).page(lastRun, TARGETS);
        targets.addAll(more);
        allRuns = more.size() == TARGETS;
        if (!more.isEmpty()) {
            lastRun = more.getLast().streamId();
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
        verifier.expectHead(target.headSeq(), target.headHash());
        if (new VerifyTable(tables.sql()).hasMoreThanHead(target.streamNo())) {
            verifier.surplus();
        }
        if (target.seal().isPresent() && verifier.fault().isEmpty()) {
            verifier.expectSeal(target.seal().get(), keys());
        } else if (target.ended()) {
            verifier.unsealed();
        }
        add(verifier.report(true));
    }

    private HeadKeys keys() {
        if (keys == null) {
            keys = new HeadKeys(signer.published(KEYS_MILLIS));
        }
        return keys;
    }

    private void add(VerificationReport stream) {
        streams++;
        records += stream.records();
        withheld += stream.withheld();
        seals += stream.seals();
        fault = stream.fault();
        done |= fault.isPresent();
        target = null;
        page = PAGE;
    }

    /** What was to be read is damaged: first closes in on the record, then names it. */
    void damaged(String detail) {
        if (target != null && page > 1) {
            page = 1;
        } else if (target != null) {
            verifier.unreadable(detail);
            add(verifier.report(true));
        } else {
            String where = lastRun.isEmpty() ? "runs" : "runs after " + lastRun;
            fault = Optional.of(new Fault(where, 0, Kind.UNREADABLE, detail));
            done = true;
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
                fault);
    }
}
