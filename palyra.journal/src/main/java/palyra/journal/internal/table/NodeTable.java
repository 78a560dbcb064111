package palyra.journal.internal.table;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.shared.tape.TapeHash;

/** The node that a store belongs to. */
public final class NodeTable {
    private NodeTable() {}

    /** How a sentence about the store of another node begins. */
    public static final String FOREIGN = "The journal belongs to node ";

    /**
     * A node.
     *
     * @param nodeId as its configuration names it
     * @param streamId full name of the stream of its events
     */
    public record Node(String nodeId, String streamId) {}

    /** Returns the node of a store; empty before its first opening. */
    public static Optional<Node> find(Sql sql) throws SQLException {
        return sql.one(
                "SELECT node_id, stream_id FROM node WHERE row_no = 1",
                row -> new Node(row.getString(1), row.getString(2)));
    }

    /** Makes a store one of a node; throws JOURNAL_UNAVAILABLE when it is another's. */
    public static void require(Sql sql, String nodeId) throws SQLException {
        Optional<Node> found = find(sql);
        if (found.isEmpty()) {
            sql.update(
                    "INSERT INTO node (row_no, node_id, stream_id) VALUES (1, ?, ?)",
                    nodeId,
                    name(sql, nodeId));
        } else if (!found.get().nodeId().equals(nodeId)) {
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    FOREIGN
                            + found.get().nodeId()
                            + ", but node of palyra.journal is "
                            + nodeId
                            + ": set it to "
                            + found.get().nodeId()
                            + ", or give this node a state folder of its own.");
        }
    }

    /**
     * Returns the name that the hashes of the stream are made of: another than that of a new store
     * when it is from before nodes had names.
     */
    private static String name(Sql sql, String nodeId) throws SQLException {
        String name = TapeRecord.JOURNAL_STREAM + "/" + nodeId;
        List<TapeTable.Row> first = new Tables(sql).tape().page(name, StreamHeads.JOURNAL_NO, 0, 1);
        boolean fits =
                first.isEmpty()
                        ? sql.one(
                                        "SELECT head_hash FROM heads WHERE stream_no = ?",
                                        row -> row.getBytes(1),
                                        StreamHeads.JOURNAL_NO)
                                .filter(hash -> !Arrays.equals(hash, StreamHeads.genesis(name)))
                                .isEmpty()
                        : hasName(first.getFirst().record());
        return fits ? name : TapeRecord.JOURNAL_STREAM;
    }

    private static boolean hasName(TapeRecord record) {
        byte[] hash =
                TapeHash.hash(
                        record.prevHash(),
                        record.streamId(),
                        record.seq(),
                        record.type(),
                        record.timeMillis(),
                        record.schema(),
                        record.commitment());
        return Arrays.equals(hash, record.hash());
    }
}
