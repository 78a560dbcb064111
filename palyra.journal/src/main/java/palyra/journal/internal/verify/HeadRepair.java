package palyra.journal.internal.verify;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.read.TapeReader;
import palyra.journal.internal.table.KnownLosses;
import palyra.journal.internal.table.LostTable;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.journal.internal.table.VerifyTable;
import palyra.journal.internal.write.Appender;
import palyra.journal.internal.write.PreparedPayload;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.WriteContext;
import palyra.journal.internal.write.WriteQueue;
import palyra.shared.tape.StreamVerifier;

/**
 * Makes the head of a run again where the tape proves it: every record follows the one before it
 * from the run's genesis on, and the last is the one that was signed. A run that has not ended has
 * no signed head; there the snapshot tells of a tape that was cut. What is not proved is left as it
 * is. Reads a few pages at each step; used by one thread.
 */
public final class HeadRepair {
    private static final Logger LOG = LoggerFactory.getLogger(HeadRepair.class);
    private static final int PAGES = 4;
    private static final int PAGE = 500;

    private final ReadPool readers;
    private final TapeReader tapes;
    private final HeadSigner signer;
    private final WriteQueue queue;
    private final KnownLosses losses;
    private LostTable.Pair pair; // null unless it works
    private VerifyTable.Target target;
    private StreamVerifier verifier;
    private byte[] lastHash = new byte[0];
    private Ticket<Boolean> writing; // null unless the head is being written

    public HeadRepair(
            ReadPool readers,
            TapeReader tapes,
            HeadSigner signer,
            WriteQueue queue,
            KnownLosses losses) {
        this.readers = readers;
        this.tapes = tapes;
        this.signer = signer;
        this.queue = queue;
        this.losses = losses;
    }

    /** Returns under which name the loss is noted. */
    static String name(LostTable.Pair pair) {
        return "head of run " + pair.runId();
    }

    /** Returns the message about a run whose head is lost. */
    static String sentence(LostTable.Pair pair, String why) {
        return "The journal lost the row that says where the tape of run "
                + pair.runId()
                + " ends (table heads, stream "
                + pair.streamNo()
                + "): "
                + why
                + ".";
    }

    boolean working() {
        return pair != null;
    }

    /** Begins with a run. */
    void begin(LostTable.Pair of) {
        pair = of;
        target = null;
        writing = null;
    }

    /** Goes on for a few pages. */
    void step() {
        if (writing != null) {
            written();
            return;
        }
        try {
            read().ifPresent(this::conclude);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            leave(e.getMessage());
        }
    }

    /** Returns empty while the tape goes on, else why the head cannot be made again. */
    private Optional<String> read() {
        return readers.read(
                tables -> {
                    for (int i = 0; i < PAGES; i++) {
                        if (page(tables)) {
                            return Optional.of(obstacle(tables));
                        }
                    }
                    return Optional.empty();
                });
    }

    /** Returns whether the tape is at its end, or at a fault. */
    private boolean page(Tables tables) throws SQLException {
        if (target == null) {
            Optional<VerifyTable.Target> found = new VerifyTable(tables.sql()).find(pair.runId());
            if (found.isEmpty()) {
                return true;
            }
            target = found.get();
            verifier = StreamVerifier.from(target.streamId(), target.genesis());
        }
        List<TapeTable.Row> rows =
                tables.tape().page(target.streamId(), target.streamNo(), verifier.seq(), PAGE);
        for (TapeTable.Row row : rows) {
            if (!verifier.accept(tapes.whole(tables, target.streamNo(), row))) {
                return true;
            }
            lastHash = row.record().hash();
        }
        return rows.size() < PAGE;
    }

    /** Returns why the head cannot be made again; empty when it can. */
    private String obstacle(Tables tables) throws SQLException {
        if (target == null) {
            return "the row of the run in table runs is lost too";
        }
        Optional<Fault> fault = verifier.fault();
        if (fault.isPresent()) {
            return "record " + fault.get().seq() + " of the tape: " + fault.get().detail();
        }
        if (verifier.seq() == 0) {
            return "no record of the tape is there";
        }
        if (target.seal().isEmpty() && target.ended()) {
            return "the run has ended and its signed head (table seals) is lost too";
        }
        long known =
                tables.sql()
                        .number(
                                "SELECT seq FROM run_snapshots WHERE stream_no = ?",
                                0,
                                target.streamNo());
        return known > verifier.seq()
                ? "the tape ends at record "
                        + verifier.seq()
                        + ", but the run's snapshot knows record "
                        + known
                : "";
    }

    /** The keys are asked here: not on a thread that reads. */
    private void conclude(String obstacle) {
        if (obstacle.isEmpty() && target.seal().isPresent()) {
            verifier.expectSeal(target.seal().get(), signer.headKeys());
        }
        String why = obstacle.isEmpty() ? verifier.fault().map(Fault::detail).orElse("") : obstacle;
        if (!why.isEmpty()) {
            leave(why);
            return;
        }
        Ticket<Boolean> ticket = new Ticket<>(this::write, Unit.Lane.BULK, true);
        queue.offer(ticket);
        writing = ticket;
    }

    private void leave(String why) {
        losses.found(
                name(pair),
                sentence(pair, "it was not made again because " + why)
                        + " Nothing can be appended to that tape. "
                        + KnownLosses.RESTORE);
        pair = null;
    }

    private boolean write(WriteContext context) throws SQLException {
        Sql sql = context.sql();
        long streamNo = target.streamNo();
        if (sql.exists("SELECT 1 FROM heads WHERE stream_no = ?", streamNo)) {
            return true;
        }
        sql.update(
                "INSERT INTO heads (stream_no, head_seq, head_hash) VALUES (?, ?, ?)",
                streamNo,
                verifier.seq(),
                lastHash);
        record(
                context,
                pair.runId(),
                streamNo,
                verifier.seq(),
                lastHash,
                target.seal().isPresent());
        return true;
    }

    /**
     * Records that a head was made again; {@code sealed} says whether a signature proves its end.
     */
    public static void record(
            WriteContext context,
            String streamId,
            long streamNo,
            long seq,
            byte[] hash,
            boolean sealed)
            throws SQLException {
        byte[] payload =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("streamId", streamId)
                        .put("streamNo", streamNo)
                        .put("seq", seq)
                        .put("hash", HexFormat.of().formatHex(hash))
                        .put("sealed", sealed)
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
        new Appender(context)
                .append(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM, "head_recomputed", 1, payload),
                        PreparedPayload.of(payload, new SecureRandom(), ""));
    }

    private void written() {
        if (!writing.future().isDone()) {
            return;
        }
        Ticket<Boolean> ticket = writing;
        writing = null; // a refusal is tried again from here
        try {
            ticket.future().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof PalyraException known
                    ? known
                    : new IllegalStateException(e);
        }
        LOG.warn("The head of run {} was lost and was made again from its tape", pair.runId());
        losses.repaired(name(pair));
        pair = null;
    }
}
