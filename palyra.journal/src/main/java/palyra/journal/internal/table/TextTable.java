package palyra.journal.internal.table;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.journal.internal.database.Sql;

/**
 * Long texts of payloads, and how many payloads have each. A payload's references are one value of
 * 16 bytes for each text, big-endian: offset in the rest (4), length (4), number (8).
 *
 * <p>Which text has which number is known for those of late, without an index: the payloads that
 * share a text are written within one turn. An index of digests would cost each text a page at
 * random however large the store is.
 */
public final class TextTable {
    private static final int REFERENCE_BYTES = 16;
    private static final int MOST_RECENT = 8_192;

    private final Sql sql;

    /** Numbers of texts of late by their digests: hints, compared with the row before each use. */
    private final Map<ByteBuffer, Long> recent =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Long> eldest) {
                    return size() > MOST_RECENT;
                }
            };

    TextTable(Sql sql) {
        this.sql = sql;
    }

    private record Reference(int offset, int length, long textNo) {}

    /** Keeps the texts of a payload; returns its references, null when it was not cut. */
    byte[] keep(CutPayload payload) throws SQLException {
        if (payload.texts().isEmpty()) {
            return null;
        }
        ByteBuffer references = ByteBuffer.allocate(payload.texts().size() * REFERENCE_BYTES);
        for (CutPayload.Text text : payload.texts()) {
            references.putInt(text.offset()).putInt(text.bytes().length).putLong(keep(text));
        }
        return references.array();
    }

    private long keep(CutPayload.Text text) throws SQLException {
        ByteBuffer digest = ByteBuffer.wrap(text.digest());
        Long known = recent.get(digest);
        if (known != null && use(known, text.digest())) {
            return known;
        }
        sql.update("INSERT INTO text_uses (digest, uses) VALUES (?, 1)", text.digest());
        long textNo = sql.number("SELECT last_insert_rowid()", 0);
        sql.update("INSERT INTO texts (text_no, content) VALUES (?, ?)", textNo, text.bytes());
        recent.put(digest, textNo);
        return textNo;
    }

    /** Counts a use; false when the text went, or never came to be durable. */
    private boolean use(long textNo, byte[] digest) throws SQLException {
        return sql.update(
                        "UPDATE text_uses SET uses = uses + 1 WHERE text_no = ? AND digest = ?",
                        textNo,
                        digest)
                > 0;
    }

    /** A payload goes; so does each text that no other has. */
    void release(byte[] references) throws SQLException {
        for (Reference each : references(references)) {
            sql.update("UPDATE text_uses SET uses = uses - 1 WHERE text_no = ?", each.textNo());
            int unused =
                    sql.update(
                            "DELETE FROM text_uses WHERE text_no = ? AND uses <= 0", each.textNo());
            if (unused > 0) {
                sql.update("DELETE FROM texts WHERE text_no = ?", each.textNo());
            }
        }
    }

    /** Returns how many bytes the texts of a payload have. */
    static long bytes(byte[] references) {
        return references(references).stream().mapToLong(Reference::length).sum();
    }

    /**
     * Returns a payload as it was given; throws CORRUPT when a text is not there.
     *
     * @param rest what the row keeps of it, or null
     * @param references where texts belong; null when it was not cut
     */
    public byte[] whole(byte[] rest, byte[] references) throws SQLException {
        if (rest == null || references == null) {
            return rest;
        }
        long length = rest.length + bytes(references);
        if (length > Integer.MAX_VALUE) {
            throw damaged();
        }
        ByteBuffer whole = ByteBuffer.allocate((int) length);
        int copied = 0; // of the rest
        for (Reference each : references(references)) {
            if (each.offset() < copied || each.offset() > rest.length) {
                throw damaged();
            }
            whole.put(rest, copied, each.offset() - copied).put(text(each));
            copied = each.offset();
        }
        return whole.put(rest, copied, rest.length - copied).array();
    }

    private byte[] text(Reference reference) throws SQLException {
        Optional<byte[]> found =
                sql.one(
                        "SELECT content FROM texts WHERE text_no = ?",
                        row -> row.getBytes(1),
                        reference.textNo());
        return found.filter(text -> text.length == reference.length())
                .orElseThrow(TextTable::damaged);
    }

    private static PalyraException damaged() {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "A text that belongs to this row is missing or has another length (table texts);"
                        + " restore the journal from a backup.");
    }

    /** Returns the references of a value; those of a damaged one as far as they can be. */
    private static List<Reference> references(byte[] value) {
        List<Reference> found = new ArrayList<>();
        if (value == null) {
            return found;
        }
        ByteBuffer bytes = ByteBuffer.wrap(value);
        while (bytes.remaining() >= REFERENCE_BYTES) {
            found.add(new Reference(bytes.getInt(), Math.max(0, bytes.getInt()), bytes.getLong()));
        }
        return found;
    }
}
