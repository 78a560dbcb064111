package palyra.journal.internal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeRecord;

/** Reads records with their payloads, wherever those are. Runs on the threads of the read pool. */
final class TapeReader {
    private final PayloadFiles files;

    TapeReader(PayloadFiles files) {
        this.files = files;
    }

    /** Returns records after {@code afterSeq}; none when there is no such stream. */
    List<TapeRecord> page(Tables tables, String streamId, long afterSeq, int limit)
            throws SQLException {
        Optional<TapeTable.Stream> stream = tables.tape().stream(streamId);
        if (stream.isEmpty()) {
            return List.of();
        }
        long streamNo = stream.get().streamNo();
        List<TapeRecord> records = new ArrayList<>();
        for (TapeTable.Row row : tables.tape().page(streamId, streamNo, afterSeq, limit)) {
            records.add(whole(tables, streamNo, row));
        }
        return records;
    }

    /** Adds the payload; the query is over by now, so that no read transaction waits for a file. */
    TapeRecord whole(Tables tables, long streamNo, TapeTable.Row row) throws SQLException {
        if (row.payloadFile().isEmpty()) {
            return row.record();
        }
        try {
            return row.with(files.read(row.payloadFile()));
        } catch (NoSuchFileException e) {
            return erasedMeanwhile(tables, streamNo, row, e);
        } catch (IOException e) {
            throw unreadable(row, e);
        }
    }

    private static TapeRecord erasedMeanwhile(
            Tables tables, long streamNo, TapeTable.Row row, IOException missing)
            throws SQLException {
        TapeRecord record = row.record();
        Optional<TapeTable.Row> now = tables.tape().find(record.streamId(), streamNo, record.seq());
        if (now.isPresent() && now.get().payloadFile().isEmpty()) {
            return now.get().record();
        }
        throw unreadable(row, missing);
    }

    private static PalyraException unreadable(TapeTable.Row row, IOException e) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The payload file of record "
                        + row.record().seq()
                        + " of "
                        + row.record().streamId()
                        + " is missing or cannot be read; restore it from a backup.",
                e);
    }
}
