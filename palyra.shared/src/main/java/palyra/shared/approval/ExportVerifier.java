package palyra.shared.approval;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import palyra.api.PalyraException;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.sign.Ed25519Verifier;

/**
 * Verifies an export of approvals, of either form, line by line with bounded memory: every byte of
 * it, the chain over all lines, the count and the signature at the end; see {@link ExportForm}.
 * Nothing in the file is believed.
 */
public final class ExportVerifier {
    private static final int MOST_PROBLEMS = 100;

    private final Function<String, byte[]> keys;
    private final List<String> problems = new ArrayList<>();
    private String schema = "";
    private String checksum = ExportForm.SEED;
    private long seq;
    private boolean ended;

    private ExportVerifier(Function<String, byte[]> keys) {
        this.keys = keys;
    }

    /**
     * Result of a verification.
     *
     * @param records how many questions were read
     * @param problems one sentence each, at most 100; empty when every byte is as it was exported
     */
    public record Report(long records, List<String> problems) {
        /** Copies. */
        public Report {
            problems = List.copyOf(problems);
        }

        /** Returns whether every byte is as it was exported. */
        public boolean intact() {
            return problems.isEmpty();
        }
    }

    /**
     * Reads to the end of the input, which the caller closes.
     *
     * @param keys raw 32 bytes of the public key with an id; null for one that is not known
     * @throws IOException when the input cannot be read
     */
    public static Report verify(InputStream in, Function<String, byte[]> keys) throws IOException {
        ExportVerifier verifier = new ExportVerifier(keys);
        verifier.read(new ExportLines(in));
        return new Report(Math.max(0, verifier.seq - 1), verifier.problems);
    }

    private void read(ExportLines lines) throws IOException {
        for (ExportLines.Line line = lines.next(); line != null; line = lines.next()) {
            if (ended) {
                found(line, "something follows the end");
                return;
            }
            JsonNode node = parse(line);
            if (node == null) {
                return; // nothing that comes after can be trusted to be in its place
            }
            if (line.last()) {
                trailer(line, node);
            } else {
                record(line, node);
            }
        }
        if (!lines.fault().isEmpty()) {
            problems.add(lines.fault());
        } else if (!ended) {
            problems.add("The end is missing: the file was cut off.");
        }
    }

    private JsonNode parse(ExportLines.Line line) {
        try {
            JsonNode node = StrictJson.parse(line.json(), "the line");
            if (!Arrays.equals(Jcs.bytes(node), line.json())) {
                found(line, "it is not written as exports are (RFC 8785)");
            }
            return node;
        } catch (PalyraException e) {
            found(line, e.getMessage());
            return null;
        }
    }

    private void record(ExportLines.Line line, JsonNode node) {
        if (seq == 0) {
            schema = node.path("schema").asText();
            require(line, schema.equals(line.schema()), "its schema is not " + line.schema());
        }
        String kind = seq == 0 ? ExportForm.HEADER : ExportForm.QUESTION;
        require(line, isText(node, "schema", schema), "its schema is another");
        require(line, isText(node, "kind", kind), "it is not a " + kind);
        require(line, node.path("seq").isIntegralNumber(), "its seq is not a number");
        require(line, node.path("seq").asLong(-1) == seq, "its seq is not " + seq);
        require(line, node.size() == 6, "it has members that exports do not have");
        JsonNode said = node.path("record");
        String sha256 = said.isObject() ? ExportForm.recordSha256(said) : "";
        require(
                line,
                said.isObject() && isText(node, "recordSha256", sha256),
                "what it says does not agree with its digest");
        checksum =
                ExportForm.checksum(
                        schema, checksum, seq, kind, node.path("recordSha256").asText());
        if (!isText(node, "checksum", checksum)) {
            found(line, "its checksum does not match the lines before");
            checksum = node.path("checksum").asText();
        }
        seq++;
    }

    private void trailer(ExportLines.Line line, JsonNode node) {
        ended = true;
        boolean more = node.path("more").asBoolean(false);
        long count = node.path("count").asLong(-1);
        require(line, isText(node, "schema", schema), "its schema is another");
        require(line, isText(node, "kind", ExportForm.TRAILER), "it is not an end");
        require(line, node.path("more").isBoolean(), "it does not say whether there is more");
        require(line, node.path("count").isIntegralNumber(), "its count is not a number");
        require(line, seq > 0 && count == seq - 1, "its count is not " + Math.max(0, seq - 1));
        require(line, isText(node, "checksum", checksum), "its checksum is not that of the lines");
        require(line, node.size() == 7, "it has members that exports do not have");
        signature(line, node, ExportForm.end(schema, count, checksum, more));
    }

    private void signature(ExportLines.Line line, JsonNode node, byte[] end) {
        String keyId = node.path("keyId").asText();
        byte[] key = keys.apply(keyId);
        if (key == null) {
            found(line, "the key " + keyId + " that signed it is not known here");
            return;
        }
        try {
            byte[] signature = Base64.getUrlDecoder().decode(node.path("signature").asText());
            String written = Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
            boolean right =
                    isText(node, "signature", written)
                            && Ed25519Verifier.of(key).verify(end, signature);
            require(line, right, "its signature is not by key " + keyId + " over these lines");
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            found(line, "its signature cannot be checked: " + e.getMessage());
        }
    }

    private static boolean isText(JsonNode node, String name, String expected) {
        return node.path(name).isTextual() && node.path(name).textValue().equals(expected);
    }

    private void require(ExportLines.Line line, boolean holds, String otherwise) {
        if (!holds) {
            found(line, otherwise);
        }
    }

    private void found(ExportLines.Line line, String what) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add("Line " + line.number() + ": " + what + ".");
        }
    }
}
