package palyra.front.internal.approval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.shared.approval.ExportForm;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;

/**
 * Writes approval requests out, oldest first, one at a time: what was written cannot be changed,
 * cut off or added to without notice. Without a key store nothing is written. Thread-safe.
 */
final class ApprovalExport {
    /** Most approval requests of one export. */
    static final int MOST = 5_000;

    private final ApprovalRequestStore questions;
    private final Gate<Keys> keys;

    ApprovalExport(ApprovalRequestStore questions, Gate<Keys> keys) {
        this.questions = questions;
        this.keys = keys;
    }

    /**
     * The export that a caller requests.
     *
     * @param by principal that asked
     * @param owner owner of the approval requests that it may see; empty for all owners
     */
    record Order(
            String by,
            ApprovalQuery query,
            String owner,
            ApprovalExportFormat format,
            int limit,
            long atMillis) {
        String schema() {
            return format == ApprovalExportFormat.JSON ? ExportForm.JSON : ExportForm.NDJSON;
        }
    }

    void write(Order order, ApprovalQueryReader rows, Consumer<byte[]> sink) {
        keys.lease().close(); // said at once, not after the last question
        ChunkWriter chunks = new ChunkWriter(sink);
        boolean document = order.format() == ApprovalExportFormat.JSON;
        Chain chain = new Chain(order.schema());
        chunks.write(document ? "{\"header\":" : "");
        chunks.write(chain.line(ExportForm.HEADER, header(order)));
        chunks.write(document ? ",\"records\":[\n" : "\n");
        Optional<ApprovalRow> row = rows.next();
        int count = 0;
        while (row.isPresent() && count < order.limit()) {
            JsonNode record =
                    ExportRecord.of(row.get(), questions.votes(row.get()), order.atMillis());
            chunks.write(chain.line(ExportForm.QUESTION, record));
            count++;
            row = rows.next();
            chunks.write(document && row.isPresent() && count < order.limit() ? ",\n" : "\n");
        }
        chunks.write(document ? "],\"trailer\":" : "");
        chunks.write(trailer(order.schema(), count, chain.checksum, row.isPresent()));
        chunks.write(document ? "}\n" : "\n");
        chunks.end();
    }

    private static JsonNode header(Order order) {
        ApprovalQuery query = order.query();
        ObjectNode asked =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("state", query.state().map(Enum::name).orElse(""))
                        .put("subjectType", query.subject().map(Enum::name).orElse(""))
                        .put("subjectId", query.subjectId())
                        .put("principal", query.principal())
                        .put("runId", query.runId())
                        .put("sessionId", query.sessionId())
                        .put("sinceMillis", query.sinceMillis())
                        .put("untilMillis", query.untilMillis());
        ObjectNode header =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("exportedAtMillis", order.atMillis())
                        .put("exportedBy", order.by())
                        .put("owner", order.owner())
                        .put("limit", order.limit());
        header.set("query", asked);
        return header;
    }

    private String trailer(String schema, int count, String checksum, boolean more) {
        byte[] end = ExportForm.end(schema, count, checksum, more);
        KeySignature signature = keys.call(store -> store.sign(KeyPurpose.ATTESTATION, end));
        return Jcs.text(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("schema", schema)
                        .put("kind", ExportForm.TRAILER)
                        .put("count", count)
                        .put("more", more)
                        .put("checksum", checksum)
                        .put("keyId", signature.keyId())
                        .put(
                                "signature",
                                Base64.getUrlEncoder()
                                        .withoutPadding()
                                        .encodeToString(signature.signature())));
    }

    /** The lines written so far. Used by one thread. */
    private static final class Chain {
        private final String schema;
        private String checksum = ExportForm.SEED;
        private long seq;

        Chain(String schema) {
            this.schema = schema;
        }

        String line(String kind, JsonNode record) {
            String sha256 = ExportForm.recordSha256(record);
            checksum = ExportForm.checksum(schema, checksum, seq, kind, sha256);
            ObjectNode line =
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("schema", schema)
                            .put("kind", kind)
                            .put("seq", seq)
                            .put("recordSha256", sha256)
                            .put("checksum", checksum);
            line.set("record", record);
            seq++;
            return Jcs.text(line);
        }
    }
}
