package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.table.StreamHead;
import palyra.journal.internal.table.StreamHeads;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.journal.internal.verify.HeadRepair;
import palyra.shared.tape.TapeHash;

/**
 * The head of the journal's own stream, without which nothing is recorded. A lost one is rebuilt
 * from the last records at the start: so many, that the start takes the same time however long the
 * stream is. Verification checks the whole stream.
 */
final class JournalHead {
    private static final Logger LOG = LoggerFactory.getLogger(JournalHead.class);
    private static final int LAST = 100;

    private JournalHead() {}

    /** Creates a missing head; returns it when records were there before. */
    static Optional<StreamHead> require(Sql sql) throws SQLException {
        if (sql.exists("SELECT 1 FROM heads WHERE stream_no = ?", StreamHeads.JOURNAL_NO)) {
            return Optional.empty();
        }
        Optional<StreamHead> restored = fromTape(sql);
        sql.update(
                "INSERT INTO heads (stream_no, head_seq, head_hash) VALUES (?, ?, ?)",
                StreamHeads.JOURNAL_NO,
                restored.map(StreamHead::seq).orElse(0L),
                restored.isPresent()
                        ? restored.get().hash()
                        : StreamHeads.genesis(new Tables(sql).tape().nodeStream()));
        return restored;
    }

    private static Optional<StreamHead> fromTape(Sql sql) throws SQLException {
        long last =
                sql.number(
                        "SELECT max(seq) FROM tape WHERE stream_no = ?", 0, StreamHeads.JOURNAL_NO);
        if (last == 0) {
            return Optional.empty();
        }
        long before = Math.max(0, last - LAST);
        TapeTable tape = new Tables(sql).tape();
        List<TapeTable.Row> rows =
                tape.page(TapeRecord.JOURNAL_STREAM, StreamHeads.JOURNAL_NO, before, LAST);
        byte[] hash =
                before == 0
                        ? StreamHeads.genesis(tape.nodeStream())
                        : rows.getFirst().record().prevHash();
        long seq = before;
        for (TapeTable.Row row : rows) {
            if (!follows(row.record(), ++seq, hash)) {
                throw damaged(seq);
            }
            hash = row.record().hash();
        }
        if (seq != last) {
            throw damaged(seq + 1);
        }
        return Optional.of(new StreamHead(StreamHeads.JOURNAL_NO, seq, hash, false, ""));
    }

    /** Payloads may be in files; verification checks them against their commitments. */
    private static boolean follows(TapeRecord record, long seq, byte[] prevHash) {
        return record.seq() == seq
                && Arrays.equals(record.prevHash(), prevHash)
                && Arrays.equals(
                        record.hash(),
                        TapeHash.hash(
                                prevHash,
                                record.streamId(),
                                seq,
                                record.type(),
                                record.timeMillis(),
                                record.schema(),
                                record.commitment()));
    }

    private static PalyraException damaged(long seq) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The journal lost the row that says where its own stream ends (table heads), and it"
                        + " cannot be made again because record "
                        + seq
                        + " of that stream is missing or changed; restore a backup of the journal"
                        + " folder.");
    }

    /** Records that the head was made again. */
    static void record(WriteContext context, StreamHead restored) throws SQLException {
        LOG.warn(
                "The head of the journal's own stream was lost and was made again at record {}",
                restored.seq());
        try {
            context.beginGroup();
            context.begin();
            HeadRepair.record(
                    context,
                    TapeRecord.JOURNAL_STREAM,
                    StreamHeads.JOURNAL_NO,
                    restored.seq(),
                    restored.hash(),
                    false);
            context.keep();
            context.flush();
            context.sql().update("COMMIT");
            context.committed();
        } catch (SQLException | RuntimeException e) {
            context.sql().rollbackQuietly();
            context.undoGroup();
            throw e;
        }
    }
}
