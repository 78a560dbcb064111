package palyra.journal.internal.verify;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.KeySignature;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.table.SealTable;
import palyra.journal.internal.table.SealTable.Checkpoint;
import palyra.journal.internal.table.SealTable.Verified;
import palyra.journal.internal.table.StreamHeads;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.journal.internal.table.VerifyTable;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/**
 * The note of what was verified, which is signed: without the key, no one can be made by which a
 * verification of what is new looks at less.
 *
 * @param verified what it says; empty without a note, and when the note was changed
 * @param fault why it is not relied on although it is there
 */
record VerifiedNote(Optional<Verified> verified, Optional<Fault> fault) {
    /** No note. */
    static final VerifiedNote NONE = new VerifiedNote(Optional.empty(), Optional.empty());

    private static final String PLACE = "note of what was verified";

    /** Returns the note; the keys are asked when there is one. */
    static VerifiedNote read(Tables tables, Supplier<HeadKeys> keys) throws SQLException {
        SealTable table = new SealTable(tables.sql());
        Optional<Verified> stored = table.verified();
        if (stored.isEmpty()) {
            return new VerifiedNote(stored, Optional.empty());
        }
        Verified note = stored.get();
        KeySignature by = new KeySignature(note.keyId(), note.signature());
        if (!keys.get().signed(statement(note), by)) {
            return wrong(PLACE, "its signature is wrong, or by no published key");
        }
        if (!isThere(table, note)) {
            String which = "checkpoint " + note.through();
            return wrong(which, "it was verified before, and is missing now or another");
        }
        if (!isThere(tables.tape(), note)) {
            Fault cut =
                    new Fault(
                            tables.tape().nodeStream(),
                            note.journalSeq(),
                            Kind.HEAD,
                            "the record was verified before, and is missing now or another");
            return new VerifiedNote(Optional.empty(), Optional.of(cut));
        }
        return new VerifiedNote(stored, Optional.empty());
    }

    /** Returns what is known when the note, or what it names, cannot be read. */
    static VerifiedNote unreadable(PalyraException why) {
        return wrong(PLACE, "it, or what it names, cannot be read: " + why.getMessage());
    }

    private static VerifiedNote wrong(String place, String detail) {
        Fault fault = new Fault(place, 0, Kind.CHECKPOINT, detail + "; everything was verified");
        return new VerifiedNote(Optional.empty(), Optional.of(fault));
    }

    private static boolean isThere(SealTable table, Verified note) throws SQLException {
        return note.through() == SealTable.NONE
                || table.checkpoints(note.through() - 1, 1).stream()
                        .anyMatch(
                                each ->
                                        each.number() == note.through()
                                                && Arrays.equals(each.digest(), note.digest()));
    }

    private static boolean isThere(TapeTable tape, Verified note) throws SQLException {
        return note.journalSeq() == 0
                || tape.find(TapeRecord.JOURNAL_STREAM, StreamHeads.JOURNAL_NO, note.journalSeq())
                        .filter(row -> Arrays.equals(row.record().hash(), note.journalHash()))
                        .isPresent();
    }

    /** Returns the journal's own stream, of which the records that were verified are known. */
    VerifyTable.Target known(VerifyTable.Target journal) {
        return verified.filter(note -> note.journalSeq() > 0)
                .map(note -> journal.after(note.journalSeq(), note.journalHash()))
                .orElse(journal);
    }

    /** Returns whether the records of a run were verified before and end with a covered seal. */
    boolean covers(VerifyTable.Target run, CheckpointScan checkpoints) {
        return verified.isPresent()
                && run.checkpoint() <= verified.get().through()
                && checkpoints.covers(run.checkpoint())
                && run.seal()
                        .filter(seal -> seal.seq() == run.headSeq())
                        .filter(seal -> Arrays.equals(seal.hash(), run.headHash()))
                        .isPresent();
    }

    /** Returns whether this note says as much as another, or more. */
    boolean saysMore(Verified other) {
        return verified.filter(note -> note.through() >= other.through())
                .filter(note -> note.journalSeq() >= other.journalSeq())
                .isPresent();
    }

    /** Returns a note without a signature; the signature is over {@link #statement}. */
    static Verified unsigned(Checkpoint through, VerifyTable.Target journal) {
        return new Verified(
                through.number(),
                through.digest(),
                journal.headSeq(),
                journal.headHash(),
                "?",
                new byte[0]);
    }

    /** Returns the same note with its signature. */
    static Verified signed(Verified note, KeySignature by) {
        return new Verified(
                note.through(),
                note.digest(),
                note.journalSeq(),
                note.journalHash(),
                by.keyId(),
                by.signature());
    }

    /** Returns the bytes that the signature of a note is over. */
    static byte[] statement(Verified note) {
        byte[] tag = "palyra.verified.v1".getBytes(StandardCharsets.US_ASCII);
        int digests = note.digest().length + note.journalHash().length;
        return ByteBuffer.allocate(tag.length + 4 * Long.BYTES + digests)
                .put(tag)
                .putLong(note.through())
                .putLong(note.digest().length)
                .put(note.digest())
                .putLong(note.journalSeq())
                .putLong(note.journalHash().length)
                .put(note.journalHash())
                .array();
    }
}
