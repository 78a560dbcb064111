package palyra.journal.internal.write;

import java.sql.SQLException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Seal;
import palyra.api.core.keys.KeySignature;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.table.Rejections;
import palyra.journal.internal.table.StreamHead;
import palyra.shared.tape.TapeHash;

/** Links records to the ends of their streams, and seals streams. */
public final class Appender {
    private final WriteContext context;

    public Appender(WriteContext context) {
        this.context = context;
    }

    /** Throws NOT_FOUND, or CONFLICT when the stream is sealed. */
    StreamHead requireOpen(String streamId) throws SQLException {
        StreamHead head = context.heads().of(streamId);
        if (head.ended()) {
            throw Rejections.conflict(
                    "Nothing more goes on the tape of run " + streamId + ": it has ended.");
        }
        return head;
    }

    public Committed.Position append(Operation.Append append, PreparedPayload payload)
            throws SQLException {
        StreamHead head = requireOpen(append.streamId());
        TapeRecord record = link(append, payload, head);
        context.tables().tape().insert(head.streamNo(), record, payload.cut(), payload.file());
        context.heads().move(append.streamId(), head, head.after(record.hash()));
        context.counters().addRecord();
        context.effects().advanced(append.streamId(), record.seq(), payload.bytes().length);
        return new Committed.Position(append.streamId(), record.seq(), record.timeMillis());
    }

    private TapeRecord link(Operation.Append append, PreparedPayload payload, StreamHead head)
            throws SQLException {
        String streamId = context.tables().tape().nameOf(append.streamId());
        long seq = head.seq() + 1;
        long now = context.now();
        byte[] hash =
                TapeHash.hash(
                        head.hash(),
                        streamId,
                        seq,
                        append.type(),
                        now,
                        append.schema(),
                        payload.commitment());
        return new TapeRecord(
                streamId,
                seq,
                append.type(),
                now,
                append.schema(),
                payload.salt(),
                payload.bytes(),
                payload.commitment(),
                head.hash(),
                hash);
    }

    /** Signs where the tape of a run ends, after everything else of its unit. */
    void seal(String runId) throws SQLException {
        StreamHead head = context.heads().of(runId);
        byte[] statement = TapeHash.headStatement(runId, head.seq(), head.hash());
        KeySignature by = context.signer().sign(statement);
        Seal seal = new Seal(runId, head.seq(), head.hash(), by.keyId(), by.signature());
        context.tables().runs().seal(head.streamNo(), seal);
        context.heads().move(runId, head, head.closed());
    }
}
