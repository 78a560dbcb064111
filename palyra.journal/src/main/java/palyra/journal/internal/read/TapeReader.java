package palyra.journal.internal.read;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;

/** Reads records with their payloads, wherever those are. Runs on the threads of the read pool. */
public final class TapeReader {
    /** Most bytes of payload in one page, unless its first record alone has more. */
    static final long MOST_BYTES = 4L << 20;

    private final PayloadFiles files;

    public TapeReader(PayloadFiles files) {
        this.files = files;
    }

    /**
     * Returns records after {@code afterSeq}, fewer than {@code limit} when more would be too many
     * bytes; none when there is no such stream, or nothing after it.
     */
    List<TapeRecord> page(Tables tables, String streamId, long afterSeq, int limit)
            throws SQLException {
        Optional<TapeTable.Stream> stream = tables.tape().stream(streamId);
        if (stream.isEmpty()) {
            return List.of();
        }
        long streamNo = stream.get().streamNo();
        List<TapeRecord> records = new ArrayList<>();
        long bytes = 0;
        for (TapeTable.Row row :
                tables.tape().page(streamId, streamNo, afterSeq, limit, MOST_BYTES)) {
            TapeRecord record = whole(tables, streamNo, row);
            bytes += record.payload() == null ? 0 : record.payload().length;
            if (bytes > MOST_BYTES && !records.isEmpty()) {
                break; // it begins the next page
            }
            records.add(record);
        }
        return records;
    }

    /** Adds the payload; the query is over by now, so that no read transaction waits for a file. */
    public TapeRecord whole(Tables tables, long streamNo, TapeTable.Row row) throws SQLException {
        if (row.isWhole()) {
            return row.record();
        }
        try {
            return row.with(
                    row.payloadFile().isEmpty()
                            ? tables.texts().whole(row.record().payload(), row.texts())
                            : files.read(row.payloadFile()));
        } catch (NoSuchFileException | PalyraException e) {
            return erasedMeanwhile(tables, streamNo, row, e);
        } catch (IOException e) {
            throw unreadable(row, e);
        }
    }

    private static TapeRecord erasedMeanwhile(
            Tables tables, long streamNo, TapeTable.Row row, Exception missing)
            throws SQLException {
        TapeRecord record = row.record();
        Optional<TapeTable.Row> now = tables.tape().find(record.streamId(), streamNo, record.seq());
        if (now.isPresent() && now.get().isWhole()) {
            return now.get().record();
        }
        throw unreadable(row, missing);
    }

    private static PalyraException unreadable(TapeTable.Row row, Exception e) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                (row.payloadFile().isEmpty() ? "A text" : "The payload file")
                        + " of record "
                        + row.record().seq()
                        + " of "
                        + row.record().streamId()
                        + " is missing or cannot be read; restore it from a backup.",
                e);
    }
}
