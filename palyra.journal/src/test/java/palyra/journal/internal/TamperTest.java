package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.journal.internal.database.Sql;
import palyra.shared.tape.TapeHash;

/** Somebody with the database file in hand changes it: every change is found and named. */
class TamperTest {
    private static final List<String> COLUMNS =
            List.of(
                    "type",
                    "time_millis",
                    "schema",
                    "commitment",
                    "prev_hash",
                    "hash",
                    "salt",
                    "payload");

    @TempDir Path state;

    private TestStore store;
    private Sql sql;
    private String runId;
    private long streamNo;

    @BeforeEach
    void open() throws SQLException {
        store = TestStore.open(state);
        runId = store.newSealedTape(50);
        sql = store.direct();
        streamNo = sql.number("SELECT stream_no FROM runs WHERE run_id = ?", 0, runId);
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
        store.close();
    }

    private VerificationReport verify() {
        return store.journal().verifyStream(runId, () -> false);
    }

    private void assertFound(long seq, String what) {
        VerificationReport report = verify();
        assertTrue(report.fault().isPresent(), () -> what + " was not found");
        assertEquals(runId, report.fault().get().streamId());
        assertEquals(seq, report.fault().get().seq(), () -> what + ": " + report);
    }

    @Test
    void untouchedTapeVerifies() {
        VerificationReport report = verify();
        assertTrue(report.intact(), report::toString);
        assertEquals(50, report.records());
        assertEquals(1, report.seals());
    }

    /** A changed byte of record n is found at n, or at n + 1 when the link to it is what breaks. */
    @Test
    void everyFlippedByteOfEveryColumnIsFound() throws SQLException {
        int flips = 0;
        for (long seq = 1; seq <= 50; seq++) {
            for (String column : COLUMNS) {
                flips += flipEveryByte(seq, column);
            }
        }
        assertTrue(flips > 50 * 160, "" + flips);
        assertTrue(verify().intact());
    }

    private int flipEveryByte(long seq, String column) throws SQLException {
        boolean number = column.equals("time_millis") || column.equals("schema");
        byte[] before = number ? bytes(read(seq, column)) : blob(seq, column);
        for (int i = 0; i < before.length; i++) {
            byte[] flipped = before.clone();
            flipped[i] ^= (byte) (1 << (i % 8));
            write(seq, column, number ? (Object) number(flipped) : flipped);
            VerificationReport report = verify();
            String what = column + "[" + i + "] of record " + seq;
            assertTrue(report.fault().isPresent(), () -> what + " was not found");
            assertEquals(seq, report.fault().get().seq(), () -> what + ": " + report);
        }
        write(seq, column, number ? (Object) number(before) : before);
        return before.length;
    }

    private long read(long seq, String column) throws SQLException {
        return sql.number(
                "SELECT " + column + " FROM tape WHERE stream_no = ? AND seq = ?",
                0,
                streamNo,
                seq);
    }

    private byte[] blob(long seq, String column) throws SQLException {
        return sql.one(
                        "SELECT CAST("
                                + column
                                + " AS BLOB) FROM tape WHERE stream_no = ? AND seq = ?",
                        row -> row.getBytes(1),
                        streamNo,
                        seq)
                .orElseThrow();
    }

    private void write(long seq, String column, Object value) throws SQLException {
        String as = column.equals("type") ? "CAST(? AS TEXT)" : "?";
        sql.update(
                "UPDATE tape SET " + column + " = " + as + " WHERE stream_no = ? AND seq = ?",
                value,
                streamNo,
                seq);
    }

    private static byte[] bytes(long value) {
        byte[] bytes = new byte[Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (value >>> (8 * i));
        }
        return bytes;
    }

    private static long number(byte[] bytes) {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value |= (bytes[i] & 0xffL) << (8 * i);
        }
        return value;
    }

    @Test
    void everyDroppedRecordIsFound() throws SQLException {
        for (long seq = 1; seq <= 50; seq++) {
            sql.execute("BEGIN IMMEDIATE");
            sql.execute("CREATE TEMP TABLE IF NOT EXISTS kept AS SELECT * FROM tape WHERE 0");
            sql.update(
                    "INSERT INTO kept SELECT * FROM tape WHERE stream_no = ? AND seq = ?",
                    streamNo,
                    seq);
            sql.update("DELETE FROM tape WHERE stream_no = ? AND seq = ?", streamNo, seq);
            sql.execute("COMMIT");
            assertFound(seq, "dropped record " + seq);
            sql.execute("INSERT INTO tape SELECT * FROM kept");
            sql.execute("DELETE FROM kept");
        }
        assertTrue(verify().intact());
    }

    @Test
    void everySwapOfNeighboursIsFound() throws SQLException {
        for (long seq = 1; seq < 50; seq++) {
            swap(seq, seq + 1);
            assertFound(seq, "swapped records " + seq);
            swap(seq, seq + 1);
        }
        assertTrue(verify().intact());
    }

    private void swap(long one, long other) throws SQLException {
        sql.execute("BEGIN IMMEDIATE");
        renumber(one, -1);
        renumber(other, one);
        renumber(-1, other);
        sql.execute("COMMIT");
    }

    private void renumber(long from, long to) throws SQLException {
        sql.update("UPDATE tape SET seq = ? WHERE stream_no = ? AND seq = ?", to, streamNo, from);
    }

    /** The record at each place is doubled and all after it move up by one. */
    @Test
    void everyInsertedRecordIsFound() throws SQLException {
        for (long seq = 1; seq <= 50; seq++) {
            sql.execute("BEGIN IMMEDIATE");
            for (long at = 50; at >= seq; at--) {
                renumber(at, at + 1);
            }
            sql.update(
                    "INSERT INTO tape SELECT stream_no, ?, type, time_millis, schema, commitment,"
                            + " prev_hash, hash, salt, payload, payload_file, texts FROM"
                            + " tape WHERE stream_no = ? AND seq = ?",
                    seq,
                    streamNo,
                    seq + 1);
            sql.execute("COMMIT");
            assertFound(seq + 1, "record inserted at " + seq); // the copy in its own place is right
            sql.execute("BEGIN IMMEDIATE");
            sql.update("DELETE FROM tape WHERE stream_no = ? AND seq = ?", streamNo, seq);
            for (long at = seq; at <= 50; at++) {
                renumber(at + 1, at);
            }
            sql.execute("COMMIT");
        }
        assertTrue(verify().intact());
    }

    @Test
    void recordAddedAtTheEndIsFound() throws SQLException {
        byte[] last = blob(50, "hash");
        byte[] salt = new byte[TapeHash.LENGTH];
        byte[] commitment = TapeHash.commitment(salt, TestStore.json("forged"));
        byte[] hash = TapeHash.hash(last, runId, 51, "model_token", 1, 1, commitment);
        sql.update(
                "INSERT INTO tape (stream_no, seq, type, time_millis, schema, commitment,"
                        + " prev_hash, hash, salt, payload) VALUES (?,51,'model_token',1,1,?,?,?,?,?)",
                streamNo,
                commitment,
                last,
                hash,
                salt,
                TestStore.json("forged"));
        VerificationReport report = verify();
        assertEquals(Kind.HEAD, report.fault().orElseThrow().kind());
        assertEquals(51, report.fault().get().seq());
    }

    /** Whoever rewrites the chain to its end, and the store's own head, cannot sign it. */
    @Test
    void rewrittenRunIsFoundByItsSignedHead() throws SQLException {
        byte[] prev = blob(24, "hash");
        for (long seq = 25; seq <= 50; seq++) {
            byte[] payload = seq == 25 ? TestStore.json("rewritten") : blob(seq, "payload");
            byte[] commitment = TapeHash.commitment(blob(seq, "salt"), payload);
            byte[] hash =
                    TapeHash.hash(
                            prev,
                            runId,
                            seq,
                            "model_token",
                            read(seq, "time_millis"),
                            1,
                            commitment);
            write(seq, "payload", payload);
            write(seq, "commitment", commitment);
            write(seq, "prev_hash", prev);
            write(seq, "hash", hash);
            prev = hash;
        }
        sql.update("UPDATE heads SET head_hash = ? WHERE stream_no = ?", prev, streamNo);
        assertEquals(Kind.HEAD, verify().fault().orElseThrow().kind());
        sql.update("UPDATE seals SET hash = ? WHERE stream_no = ?", prev, streamNo);
        assertEquals(Kind.SIGNATURE, verify().fault().orElseThrow().kind());
        sql.update("DELETE FROM seals WHERE stream_no = ?", streamNo);
        assertEquals(Kind.UNSEALED, verify().fault().orElseThrow().kind());
    }

    @Test
    void truncatedRunIsFoundByItsSignedHead() throws SQLException {
        sql.update("DELETE FROM tape WHERE stream_no = ? AND seq > 30", streamNo);
        assertEquals(Kind.HEAD, verify().fault().orElseThrow().kind());
        sql.update(
                "UPDATE heads SET head_seq = 30, head_hash = ? WHERE stream_no = ?",
                blob(30, "hash"),
                streamNo);
        assertFound(31, "truncation");
        assertEquals(Kind.HEAD, verify().fault().orElseThrow().kind());
    }

    @Test
    void flippedBytesOfSealHeadAndRunAreFound() throws SQLException {
        for (String place :
                List.of("seals.hash", "seals.signature", "seals.key_id", "heads.head_hash")) {
            String table = place.substring(0, place.indexOf('.'));
            String column = place.substring(place.indexOf('.') + 1);
            byte[] before =
                    sql.one(
                                    "SELECT CAST("
                                            + column
                                            + " AS BLOB) FROM "
                                            + table
                                            + " WHERE stream_no = ?",
                                    row -> row.getBytes(1),
                                    streamNo)
                            .orElseThrow();
            for (int i = 0; i < before.length; i++) {
                byte[] flipped = before.clone();
                flipped[i] ^= 1;
                put(table, column, flipped);
                int at = i;
                assertTrue(verify().fault().isPresent(), () -> place + "[" + at + "]");
            }
            put(table, column, before);
        }
        for (String column : List.of("session_id", "principal")) {
            sql.execute("UPDATE runs SET " + column + " = " + column + " || 'x'");
            assertFound(1, column);
            assertEquals(Kind.LINK, verify().fault().orElseThrow().kind());
            sql.execute(
                    "UPDATE runs SET "
                            + column
                            + " = substr("
                            + column
                            + ", 1, length("
                            + column
                            + ") - 1)");
        }
        assertTrue(verify().intact());
    }

    private void put(String table, String column, byte[] value) throws SQLException {
        String as = column.equals("key_id") ? "CAST(? AS TEXT)" : "?";
        sql.update(
                "UPDATE " + table + " SET " + column + " = " + as + " WHERE stream_no = ?",
                value,
                streamNo);
    }

    @Test
    void seededChangesOfALongTapeAreFoundInTheFile() throws SQLException {
        runId = store.newSealedTape(10_000);
        streamNo = sql.number("SELECT stream_no FROM runs WHERE run_id = ?", 0, runId);
        Random random = new Random(42);
        for (int i = 0; i < 25; i++) {
            long seq = 1L + random.nextInt(10_000);
            String column = COLUMNS.get(3 + random.nextInt(5));
            byte[] before = blob(seq, column);
            byte[] flipped = before.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 + random.nextInt(255));
            write(seq, column, flipped);
            assertFound(seq, column + " of record " + seq);
            write(seq, column, before);
        }
        assertTrue(verify().intact());
    }

    @Test
    void firstBadRecordOfEverythingIsNamed() throws SQLException {
        String later = store.newSealedTape(5);
        sql.update("UPDATE tape SET payload = ? WHERE seq = 3", TestStore.json("forged"));
        VerificationReport report = store.journal().verifyAll(() -> false);
        assertEquals(runId, report.fault().orElseThrow().streamId());
        assertEquals(3, report.fault().get().seq());
        assertEquals(Kind.PAYLOAD, report.fault().get().kind());
        assertEquals(
                3, store.journal().verifyStream(later, () -> false).fault().orElseThrow().seq());
        assertTrue(store.journal().verifyRange(runId, 4, 50, () -> false).intact());
        assertEquals(
                3,
                store.journal().verifyRange(runId, 2, 4, () -> false).fault().orElseThrow().seq());
    }

    @Test
    void journalsOwnStreamIsVerifiedLikeARun() throws SQLException {
        for (int i = 0; i < 5; i++) {
            store.journal().commit(Unit.of(TestStore.append("journal", "event " + i)));
        }
        assertTrue(store.journal().verifyStream("journal", () -> false).intact());
        sql.update("DELETE FROM tape WHERE stream_no = 1 AND seq = 5");
        VerificationReport report = store.journal().verifyStream("journal", () -> false);
        assertEquals(Kind.HEAD, report.fault().orElseThrow().kind());
        assertEquals(5, report.fault().get().seq());
    }

    @Test
    void erasingHalfOfARecordIsNoErasure() throws SQLException {
        store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 7)));
        assertTrue(verify().intact());
        assertEquals(1, verify().withheld());
        sql.update("UPDATE tape SET payload = NULL WHERE stream_no = ? AND seq = 9", streamNo);
        assertFound(9, "payload without its salt");
        assertEquals(Kind.PAYLOAD, verify().fault().orElseThrow().kind());
    }
}
