package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.tape.Attestations;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeHash;

/**
 * The formats agree with vectors that were computed by another implementation (Python's hashlib and
 * an OpenSSL Ed25519), so that a change of a format cannot go unnoticed.
 */
class FormatVectorsTest {
    private static JsonNode vectors(String name) throws IOException {
        try (InputStream in = FormatVectorsTest.class.getResourceAsStream("/vectors/" + name)) {
            return StrictJson.parse(in.readAllBytes(), name);
        }
    }

    private static byte[] hex(JsonNode node, String name) {
        return HexFormat.of().parseHex(node.get(name).textValue());
    }

    private static String text(JsonNode node, String name) {
        return node.get(name).textValue();
    }

    @Test
    void genesisAgrees() throws IOException {
        JsonNode all = vectors("genesis.json");
        for (JsonNode one : all) {
            assertArrayEquals(
                    hex(one, "genesis"),
                    TapeHash.genesis(
                            text(one, "runId"), text(one, "sessionId"), text(one, "principal")));
        }
        assertEquals(3, all.size());
    }

    @Test
    void commitmentsAgree() throws IOException {
        JsonNode all = vectors("commitments.json");
        for (JsonNode one : all) {
            assertArrayEquals(
                    hex(one, "commitment"),
                    TapeHash.commitment(hex(one, "salt"), hex(one, "payload")));
        }
        assertEquals(4, all.size());
    }

    @Test
    void recordHashesAgree() throws IOException {
        JsonNode tape = vectors("tape.json");
        for (JsonNode one : tape.get("records")) {
            assertArrayEquals(
                    hex(one, "hash"),
                    TapeHash.hash(
                            hex(one, "prevHash"),
                            text(tape, "runId"),
                            one.get("seq").longValue(),
                            text(one, "type"),
                            Long.parseLong(text(one, "timeMillis")),
                            one.get("schema").intValue(),
                            hex(one, "commitment")));
        }
    }

    @Test
    void signedHeadAgrees() throws IOException, GeneralSecurityException {
        JsonNode tape = vectors("tape.json");
        JsonNode head = tape.get("head");
        byte[] statement =
                TapeHash.headStatement(
                        text(tape, "runId"), head.get("seq").longValue(), hex(head, "hash"));
        assertArrayEquals(hex(head, "statement"), statement);
        PrivateKey key =
                KeyFactory.getInstance("Ed25519")
                        .generatePrivate(
                                new EdECPrivateKeySpec(
                                        NamedParameterSpec.ED25519, hex(head, "privateKeySeed")));
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(key);
        signer.update(statement);
        assertArrayEquals(hex(head, "signature"), signer.sign());
    }

    @Test
    void tapeOfAnotherImplementationVerifies() throws IOException {
        JsonNode tape = vectors("tape.json");
        String runId = text(tape, "runId");
        List<TapeRecord> records = new ArrayList<>();
        for (JsonNode one : tape.get("records")) {
            records.add(
                    new TapeRecord(
                            runId,
                            one.get("seq").longValue(),
                            text(one, "type"),
                            Long.parseLong(text(one, "timeMillis")),
                            one.get("schema").intValue(),
                            hex(one, "salt"),
                            hex(one, "payload"),
                            hex(one, "commitment"),
                            hex(one, "prevHash"),
                            hex(one, "hash")));
        }
        JsonNode head = tape.get("head");
        Seal seal =
                new Seal(
                        runId,
                        head.get("seq").longValue(),
                        hex(head, "hash"),
                        text(head, "keyId"),
                        hex(head, "signature"));
        PublishedKey key =
                new PublishedKey(
                        text(head, "keyId"),
                        KeyPurpose.TAPE_HEAD,
                        text(head, "publicKey"),
                        1,
                        0,
                        "",
                        "");
        VerificationReport report =
                StreamVerifier.verify(
                        runId,
                        TapeHash.genesis(runId, text(tape, "sessionId"), text(tape, "principal")),
                        records,
                        true,
                        Optional.of(seal),
                        List.of(key));
        assertTrue(report.intact(), report::toString);
        assertEquals(5, report.records());
        assertEquals(1, report.seals());
    }

    @Test
    void attestationDigestsAgree() throws IOException {
        for (JsonNode one : vectors("attestations.json")) {
            TapeEvent.ToolCallProposal proposal =
                    new TapeEvent.ToolCallProposal(
                            text(one, "callId"), 1, 0, text(one, "tool"), text(one, "inputJson"));
            TapeEvent.ToolCallOutput output =
                    new TapeEvent.ToolCallOutput(
                            text(one, "callId"),
                            1,
                            text(one, "tool"),
                            TapeEvent.Outcome.valueOf(text(one, "outcome")),
                            text(one, "outputJson"),
                            text(one, "error"));
            assertArrayEquals(
                    hex(one, "executionSha256"),
                    Attestations.executionSha256(
                            proposal,
                            output,
                            text(one, "executor"),
                            text(one, "sandboxEnforcement"),
                            Long.parseLong(text(one, "executedAtMillis")),
                            text(one, "policySha256"),
                            text(one, "executableSha256")));
        }
    }

    @Test
    void canonicalJsonAgreesWithTheSamplesOfRfc8785() throws IOException {
        JsonNode jcs = vectors("jcs.json");
        for (JsonNode number : jcs.get("numbers")) {
            double value =
                    Double.longBitsToDouble(Long.parseUnsignedLong(text(number, "ieee754"), 16));
            assertEquals(
                    text(number, "text"), Jcs.text(JsonNodeFactory.instance.numberNode(value)));
        }
        for (JsonNode sample : jcs.get("texts")) {
            JsonNode parsed = StrictJson.parse(text(sample, "input"), "sample");
            assertEquals(text(sample, "output"), Jcs.text(parsed), text(sample, "source"));
        }
    }
}
