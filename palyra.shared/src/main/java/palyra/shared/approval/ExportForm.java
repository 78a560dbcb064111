package palyra.shared.approval;

import com.fasterxml.jackson.databind.JsonNode;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * The form of an export of approvals: lines of RFC 8785 JSON, each with the digest of what it says
 * and a checksum over all before it, and a signed end; docs/formats.md. Pure.
 */
public final class ExportForm {
    /** Name of the form with one object a line. */
    public static final String NDJSON = "palyra.approvals.export.ndjson.v2";

    /** Name of the form that is one JSON document. */
    public static final String JSON = "palyra.approvals.export.json.v2";

    /** Checksum before the first line. */
    public static final String SEED = "0".repeat(64);

    /** Kind of the first line: who exported what, and when. */
    public static final String HEADER = "header";

    /** Kind of a line that holds a question. */
    public static final String QUESTION = "question";

    /** Kind of the last line. */
    public static final String TRAILER = "trailer";

    private static final String CHAIN_TAG = "palyra.approvals.export.chain.v2";
    private static final String END_TAG = "palyra.approvals.export.end.v2";

    private ExportForm() {}

    /** Returns SHA-256 of what a line says, over its canonical JSON; lower-case hex. */
    public static String recordSha256(JsonNode record) {
        return Digests.sha256Hex(Jcs.bytes(record));
    }

    /**
     * Returns the checksum up to a line: SHA-256 over the tag ‖ lp(schema) ‖ lp(checksum before) ‖
     * u64(seq) ‖ lp(kind) ‖ lp(recordSha256), digests as lower-case hex.
     */
    public static String checksum(
            String schema, String before, long seq, String kind, String recordSha256) {
        return Digests.hex(
                Digests.tagged(CHAIN_TAG)
                        .lp(schema)
                        .lp(before)
                        .u64(seq)
                        .lp(kind)
                        .lp(recordSha256)
                        .bytes());
    }

    /**
     * Returns the 32 bytes that are signed at the end: SHA-256 over the tag ‖ lp(schema) ‖
     * u64(count of questions) ‖ lp(checksum of the last line before) ‖ more byte.
     */
    public static byte[] end(String schema, long count, String checksum, boolean more) {
        return Digests.tagged(END_TAG).lp(schema).u64(count).lp(checksum).u8(more ? 1 : 0).bytes();
    }
}
