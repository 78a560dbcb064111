package palyra.journal.internal.verify;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.KeySignature;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.read.TapeReader;
import palyra.journal.internal.table.LostTable;
import palyra.journal.internal.table.Rejections;
import palyra.journal.internal.table.SealTable;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.journal.internal.table.VerifyTable;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.WriteContext;
import palyra.journal.internal.write.WriteQueue;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/** Verifies the stored tapes, in short reads, also while the store is stopped. */
public final class StoreVerifier implements TapeVerifier {
    private static final int STEPS_A_READ = 8;
    private static final int PAGE = 500;
    private static final long KEEP_MILLIS = 2_000;
    private static final Logger LOG = LoggerFactory.getLogger(StoreVerifier.class);

    private final ReadPool readers;
    private final TapeReader tapes;
    private final HeadSigner signer;
    private final WriteQueue queue;

    public StoreVerifier(ReadPool readers, TapeReader tapes, HeadSigner signer, WriteQueue queue) {
        this.readers = readers;
        this.tapes = tapes;
        this.signer = signer;
        this.queue = queue;
    }

    @Override
    public VerificationReport verifyStream(String streamId, BooleanSupplier cancelled) {
        return go(walk(List.of(target(streamId)), signer::headKeys, none -> false), cancelled);
    }

    @Override
    public VerificationReport verifyAll(
            Extent extent, Progress progress, BooleanSupplier cancelled) {
        long total =
                extent == Extent.EVERYTHING ? unlessDamaged(StoreVerifier::records, e -> 0L) : 0;
        CheckpointScan checkpoints = checkpoints(cancelled);
        VerifiedNote note =
                unlessDamaged(
                        tables -> VerifiedNote.read(tables, signer::headKeys),
                        VerifiedNote::unreadable);
        VerifiedNote before = extent == Extent.NEW ? note : VerifiedNote.NONE;
        VerifyTable.Target journal = target(TapeRecord.JOURNAL_STREAM);
        StoreScan scan = new StoreScan(this, journal, checkpoints, before);
        VerificationReport report =
                scan.run(
                        () -> {
                            progress.verified(scan.seen(), total);
                            return cancelled.getAsBoolean();
                        });
        Optional<Fault> other = note.fault().or(checkpoints::fault);
        if (report.intact() && other.isEmpty()) {
            keep(VerifiedNote.unsigned(checkpoints.last(), journal), note);
        }
        return report.or(other);
    }

    private <T> T unlessDamaged(ReadPool.Read<T> read, Function<PalyraException, T> otherwise) {
        try {
            return readers.inspect(read);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return otherwise.apply(e);
        }
    }

    private static long records(Tables tables) throws SQLException {
        return tables.sql().number("SELECT value FROM meta WHERE name = 'records'", 0);
    }

    /** Verifies the checkpoints, each in a read of its own. */
    private CheckpointScan checkpoints(BooleanSupplier cancelled) {
        CheckpointScan scan = new CheckpointScan();
        Supplier<HeadKeys> keys = keysAskedOnce();
        while (!scan.done() && !cancelled.getAsBoolean()) {
            unlessDamaged(
                    tables -> scan.advance(new SealTable(tables.sql()), keys),
                    e -> scan.damaged(e.getMessage()));
        }
        return scan;
    }

    /** Notes what was verified. Without it the next verification of what is new does more. */
    private void keep(SealTable.Verified verified, VerifiedNote before) {
        try {
            if (before.saysMore(verified)) {
                return;
            }
            KeySignature by = signer.sign(VerifiedNote.statement(verified));
            SealTable.Verified signed = VerifiedNote.signed(verified, by);
            Ticket<Boolean> ticket =
                    new Ticket<>(context -> put(context, signed), Unit.Lane.BULK, true);
            queue.offer(ticket);
            ticket.await(KEEP_MILLIS);
        } catch (PalyraException e) {
            LOG.warn(
                    "What was verified could not be noted, so that the next verification of what is"
                            + " new begins where this one did: {}",
                    e.getMessage());
        }
    }

    private static boolean put(WriteContext context, SealTable.Verified verified)
            throws SQLException {
        new SealTable(context.sql()).put(verified);
        return true;
    }

    /**
     * Returns what goes through these streams.
     *
     * @param covered whether a checkpoint of that number was verified
     */
    StreamScan walk(
            List<VerifyTable.Target> targets, Supplier<HeadKeys> keys, LongPredicate covered) {
        return new StreamScan(tapes, keys, covered, targets);
    }

    /** Returns the keys, which are fetched when the first signature is met. For one thread. */
    Supplier<HeadKeys> keysAskedOnce() {
        HeadKeys[] keys = new HeadKeys[1];
        return () -> keys[0] = keys[0] == null ? signer.headKeys() : keys[0];
    }

    /** Returns runs in the order of their ids. */
    List<VerifyTable.Target> runsAfter(String runId, int limit) {
        return readers.inspect(tables -> new VerifyTable(tables.sql()).page(runId, limit));
    }

    private VerifyTable.Target target(String streamId) {
        Require.text(streamId, "stream id");
        return readers.inspect(tables -> new VerifyTable(tables.sql()).find(streamId))
                .orElseThrow(() -> unknown(streamId));
    }

    private PalyraException unknown(String streamId) {
        return readers.inspect(tables -> new LostTable(tables.sql()).loss(streamId))
                .map(loss -> new PalyraException(ErrorCode.CORRUPT, loss.sentence()))
                .orElseGet(() -> Rejections.notFound("run", streamId));
    }

    /** A page of what has no run although something of it is there, and where the next begins. */
    record Orphans(Optional<Fault> first, long next, boolean last) {}

    /** Looks at streams after a number; those of runs and the journal's own are in order. */
    Orphans orphansAfter(long streamNo) {
        return readers.inspect(
                tables -> {
                    LostTable table = new LostTable(tables.sql());
                    List<LostTable.Pair> heads = table.runs(streamNo, PAGE);
                    List<LostTable.Pair> tapes = table.tapes(streamNo, PAGE);
                    long end = Math.min(end(heads), end(tapes));
                    return new Orphans(
                            Stream.concat(heads.stream(), tapes.stream())
                                    .filter(pair -> pair.lost() && pair.streamNo() <= end)
                                    .min(Comparator.comparingLong(LostTable.Pair::streamNo))
                                    .map(StoreVerifier::orphan),
                            end,
                            end == Long.MAX_VALUE);
                });
    }

    private static long end(List<LostTable.Pair> page) {
        return page.size() < PAGE ? Long.MAX_VALUE : page.getLast().streamNo();
    }

    private static Fault orphan(LostTable.Pair pair) {
        return new Fault(
                "stream " + pair.streamNo(),
                0,
                Kind.UNREADABLE,
                "the row of the run (table runs) is lost, so that its records cannot be verified");
    }

    /** Goes to the end, the first fault, or until it is cancelled. */
    VerificationReport go(StreamScan walk, BooleanSupplier cancelled) {
        while (!walk.done() && !cancelled.getAsBoolean()) {
            try {
                readers.inspect(tables -> steps(walk, tables));
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CORRUPT) {
                    throw e;
                }
                walk.damaged(e.getMessage());
            }
        }
        return walk.report();
    }

    private static boolean steps(StreamScan walk, Tables tables) throws SQLException {
        for (int i = 0; i < STEPS_A_READ && !walk.done(); i++) {
            walk.advance(tables);
        }
        return walk.done();
    }

    @Override
    public VerificationReport verifyRange(
            String streamId, long fromSeq, long toSeq, BooleanSupplier cancelled) {
        VerifyTable.Target target = target(streamId);
        Require.that(
                fromSeq >= 1 && fromSeq <= toSeq && toSeq <= target.headSeq(),
                "records "
                        + fromSeq
                        + " to "
                        + toSeq
                        + " of "
                        + streamId
                        + " cannot be verified: it has records 1 to "
                        + target.headSeq());
        StreamVerifier verifier = begin(target, fromSeq);
        while (verifier.fault().isEmpty() && verifier.seq() < toSeq) {
            if (cancelled.getAsBoolean()) {
                return verifier.report(false);
            }
            page(target, verifier, toSeq);
        }
        if (toSeq == target.headSeq()) {
            verifier.expectHead(target.headSeq(), target.headHash());
        }
        return verifier.report(true);
    }

    /** The record before the first is taken as given; that the first links to it is verified. */
    private StreamVerifier begin(VerifyTable.Target target, long fromSeq) {
        if (fromSeq == 1) {
            return StreamVerifier.from(target.streamId(), target.genesis());
        }
        return readers.inspect(
                        tables ->
                                tables.tape()
                                        .find(target.streamId(), target.streamNo(), fromSeq - 1))
                .map(row -> StreamVerifier.after(row.record()))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.CORRUPT,
                                        "Record "
                                                + (fromSeq - 1)
                                                + " of "
                                                + target.streamId()
                                                + ", before the range, is missing; verify the"
                                                + " whole stream."));
    }

    private void page(VerifyTable.Target target, StreamVerifier verifier, long toSeq) {
        int limit = (int) Math.min(PAGE, toSeq - verifier.seq());
        try {
            readers.inspect(tables -> accept(tables, target, verifier, limit));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            oneByOne(target, verifier, limit);
        }
    }

    private boolean accept(
            Tables tables, VerifyTable.Target target, StreamVerifier verifier, int limit)
            throws SQLException {
        List<TapeTable.Row> rows =
                tables.tape().page(target.streamId(), target.streamNo(), verifier.seq(), limit);
        for (TapeTable.Row row : rows) {
            if (!verifier.accept(tapes.whole(tables, target.streamNo(), row))) {
                return false;
            }
        }
        if (rows.size() < limit) {
            verifier.missing();
        }
        return true;
    }

    private void oneByOne(VerifyTable.Target target, StreamVerifier verifier, int count) {
        for (int i = 0; i < count && verifier.fault().isEmpty(); i++) {
            try {
                readers.inspect(tables -> accept(tables, target, verifier, 1));
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CORRUPT) {
                    throw e;
                }
                verifier.unreadable(e.getMessage());
            }
        }
    }
}
