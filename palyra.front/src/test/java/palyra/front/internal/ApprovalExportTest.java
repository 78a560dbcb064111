package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.Answers.codeOf;
import static palyra.front.internal.Answers.no;
import static palyra.front.internal.Answers.yes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.shared.approval.ExportVerifier;
import palyra.shared.json.StrictJson;

class ApprovalExportTest extends AnswerStage {
    /** Every byte in the long form; no multiple of what repeats in the text. */
    private static final int STRIDE = Boolean.getBoolean("palyra.test.full") ? 1 : 7;

    private final List<Integer> sizes = new ArrayList<>();

    private byte[] export(Principal who, ApprovalExportFormat format, int limit) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        sizes.clear();
        front.export(
                who,
                ApprovalQuery.ALL,
                format,
                limit,
                chunk -> {
                    sizes.add(chunk.length);
                    file.writeBytes(chunk);
                });
        return file.toByteArray();
    }

    private byte[] key(String keyId) {
        return stage.keyStore.published().stream()
                .filter(key -> key.keyId().equals(keyId))
                .filter(key -> key.purpose() == KeyPurpose.ATTESTATION)
                .map(key -> Base64.getUrlDecoder().decode(key.publicKey()))
                .findFirst()
                .orElse(null);
    }

    private ExportVerifier.Report verify(byte[] file) {
        try {
            return ExportVerifier.verify(new ByteArrayInputStream(file), this::key);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void some() {
        Questions.ask().in(stage, run);
        front.decide(APPROVER, yes(Questions.ask().in(stage, run)));
        front.decide(APPROVER, no(Questions.ask().in(stage, run), "n\u00f6\u2603 \ud83d\ude00"));
        String two = Questions.ask().quorum(2).in(stage, run);
        front.decide(APPROVER, yes(two));
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.PutApproval(
                                        Questions.ask().row(run, new byte[] {0, 1, 2}))));
    }

    @ParameterizedTest
    @EnumSource
    void anExportIsVerifiedFromItsBytesAlone(ApprovalExportFormat format) {
        some();
        byte[] file = export(APPROVER, format, 100);
        ExportVerifier.Report report = verify(file);
        assertEquals(List.of(), report.problems());
        assertEquals(5, report.records());
        // Also after the key was replaced, as the old one stays published.
        stage.keyStore.rotate(KeyPurpose.ATTESTATION);
        assertTrue(verify(file).intact());
    }

    @ParameterizedTest
    @EnumSource
    void anyChangedByteIsFound(ApprovalExportFormat format) {
        front.decide(APPROVER, yes(Questions.ask().in(stage, run)));
        byte[] file = export(APPROVER, format, 100);
        for (int i = 0; i < file.length; i += STRIDE) {
            byte before = file[i];
            file[i] = (byte) (before ^ (1 << (i % 8)));
            assertFalse(verify(file).intact(), "byte " + i);
            file[i] = before;
        }
        assertTrue(verify(file).intact());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsCutOffOrAddedIsFound(ApprovalExportFormat format) {
        some();
        byte[] file = export(APPROVER, format, 100);
        String text = new String(file, StandardCharsets.UTF_8);
        List<String> lines = text.lines().toList();
        for (int cut = 0; cut < file.length; cut += 97) {
            assertFalse(verify(java.util.Arrays.copyOf(file, cut)).intact(), "cut at " + cut);
        }
        for (int i = 0; i < lines.size(); i++) {
            List<String> without = new ArrayList<>(lines);
            without.remove(i);
            assertFalse(verify(joined(without)).intact(), "without line " + i);
            List<String> twice = new ArrayList<>(lines);
            twice.add(i, lines.get(i));
            assertFalse(verify(joined(twice)).intact(), "line twice " + i);
        }
        assertFalse(verify((text + "\n").getBytes(StandardCharsets.UTF_8)).intact());
        assertFalse(verify((text + text).getBytes(StandardCharsets.UTF_8)).intact());
        assertTrue(verify(joined(lines)).intact());
    }

    private static byte[] joined(List<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anotherGatewaysSignatureIsNone() throws IOException {
        some();
        byte[] file = export(APPROVER, ApprovalExportFormat.NDJSON, 100);
        assertFalse(ExportVerifier.verify(new ByteArrayInputStream(file), id -> null).intact());
        byte[] stranger =
                stage.keyStore.published().stream()
                        .filter(key -> key.purpose() == KeyPurpose.TAPE_HEAD)
                        .map(key -> Base64.getUrlDecoder().decode(key.publicKey()))
                        .findFirst()
                        .orElseThrow();
        assertFalse(ExportVerifier.verify(new ByteArrayInputStream(file), id -> stranger).intact());
    }

    @Test
    void theDocumentIsJsonAndHoldsWhatTheJournalHolds() {
        some();
        JsonNode document =
                StrictJson.parse(export(APPROVER, ApprovalExportFormat.JSON, 100), "the export");
        assertEquals(5, document.path("records").size());
        JsonNode open = document.path("records").get(0).path("record");
        assertEquals("PENDING", open.path("state").asText());
        assertEquals(
                Questions.BINDING,
                open.path("question").path("call").path("bindingSha256").asText());
        JsonNode granted = document.path("records").get(1).path("record");
        assertEquals(APPROVER.id(), granted.path("votes").get(0).path("principal").asText());
        assertEquals(grants().get(0).grantId(), granted.path("decision").path("grantId").asText());
        assertEquals(
                "AAEC",
                document.path("records").get(4).path("record").path("questionBase64").asText());
        assertEquals(
                APPROVER.id(), document.path("header").path("record").path("exportedBy").asText());
        assertFalse(document.path("trailer").path("more").asBoolean());
    }

    @ParameterizedTest
    @EnumSource
    void whatWasLeftOutByTheLimitIsSaid(ApprovalExportFormat format) {
        some();
        byte[] file = export(APPROVER, format, 2);
        assertEquals(2, verify(file).records());
        assertTrue(verify(file).intact());
        assertTrue(new String(file, StandardCharsets.UTF_8).contains("\"more\":true"));
        for (int limit : new int[] {0, 5_001}) {
            assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> export(APPROVER, format, limit)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingAtAllIsAnExportToo(ApprovalExportFormat format) {
        byte[] file = export(APPROVER, format, 2);
        assertEquals(0, verify(file).records());
        assertEquals(List.of(), verify(file).problems());
    }

    @Test
    void everybodyExportsWhatTheySee() {
        some();
        assertEquals(5, verify(export(ALICE, ApprovalExportFormat.NDJSON, 10)).records());
        assertEquals(0, verify(export(BOB, ApprovalExportFormat.NDJSON, 10)).records());
    }

    @Test
    void aLongExportComesInPieces() {
        List<Operation> many = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            many.add(new Operation.PutApproval(Questions.ask().row(run)));
        }
        stage.journal().commit(Unit.of(many.toArray(Operation[]::new)));
        byte[] file = export(APPROVER, ApprovalExportFormat.NDJSON, 5_000);
        assertEquals(250, verify(file).records());
        assertTrue(sizes.size() > 2);
        assertTrue(sizes.stream().allMatch(size -> size <= 64 * 1024));
    }
}
