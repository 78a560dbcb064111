package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.table.CutPayload;

/** Long texts are kept apart from payloads, each once, and come back as they were. */
class LongTextsTest {
    private static final String LONG = "Once upon a time. ".repeat(250);
    private static final String OTHER = "And they lived. ".repeat(250);

    @TempDir Path state;

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] question(String text) {
        return utf8("{\"agent\":\"main\",\"text\":\"" + text + "\"}");
    }

    private static byte[] record(String text) {
        return utf8("{\"role\":\"USER\",\"parts\":[{\"text\":\"" + text + "\"}]}");
    }

    private static Operation.Append append(String runId, byte[] payload) {
        return new Operation.Append(runId, "message", 1, payload);
    }

    private static InboxRow inbox(String runId, byte[] payload) {
        return new InboxRow(
                TestStore.IDS.next(),
                "shell",
                "",
                "user:alice",
                payload,
                InboxRow.State.ROUTED,
                runId,
                "",
                0);
    }

    private static OutboxRow outbox(String runId, byte[] payload) {
        return new OutboxRow(
                TestStore.IDS.next(), runId, "shell", payload, OutboxRow.State.READABLE, 0, 0, 0);
    }

    private static long texts(TestStore store) throws SQLException {
        try (Sql sql = store.direct()) {
            long texts = sql.number("SELECT count(*) FROM texts", -1);
            assertEquals(texts, sql.number("SELECT count(*) FROM text_uses", -1));
            return texts;
        }
    }

    @Test
    void cutPayloadsComeBackByteForByte() throws SQLException {
        List<byte[]> payloads =
                List.of(
                        record(LONG),
                        utf8("[\"" + LONG + "\",\"" + OTHER + "\",\"short\",\"" + LONG + "\"]"),
                        utf8("\"" + LONG + "\""),
                        utf8("{\"a\":\"" + "\\\"".repeat(600) + "\",\"b\":\"\\\\\"}"),
                        utf8("{\"a\":\"" + "ž\\u0007".repeat(600) + "\"}"),
                        utf8("\"" + LONG), // not JSON: a literal without an end
                        utf8("\"" + LONG + "\\"),
                        utf8("{\"list\":[" + ("\"" + "x".repeat(300) + "\",").repeat(100) + "1]}"),
                        noise(3_000),
                        utf8("{\"n\":" + "1".repeat(2_000) + "}"));
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            for (byte[] payload : payloads) {
                store.journal().commit(Unit.of(append(runId, payload)));
            }
            for (int i = 0; i < payloads.size(); i++) {
                assertArrayEquals(
                        payloads.get(i), store.journal().tape(runId, i, 1).getFirst().payload());
            }
            VerificationReport report = store.journal().verifyStream(runId, () -> false);
            assertTrue(report.fault().isEmpty(), report.toString());
            assertTrue(texts(store) > 0);
        }
    }

    /** Bytes of all values, a quotation mark among every few. */
    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        Random random = new Random(1);
        random.nextBytes(bytes);
        for (int i = 0; i < length; i += 1 + random.nextInt(700)) {
            bytes[i] = '"';
        }
        return bytes;
    }

    @Test
    void shortPayloadsStayInTheirRows() {
        byte[] payload = record("x".repeat(CutPayload.WHOLE_BYTES - record("").length));
        assertEquals(CutPayload.WHOLE_BYTES, payload.length);
        assertSame(payload, CutPayload.of(payload).rest());
        assertEquals(1, CutPayload.of(record("x".repeat(1 + payload.length))).texts().size());
        CutPayload numbers = CutPayload.of(utf8("[" + "1,".repeat(500) + "1]"));
        assertEquals(1, numbers.rest().length, "a large row without a long text is small too");
    }

    @Test
    void aTextOfSeveralRowsIsKeptOnceUntilTheLastOfThemGoes() throws SQLException, IOException {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            InboxRow in = inbox(runId, question(LONG));
            OutboxRow out = outbox(runId, question(OTHER));
            store.journal()
                    .commit(Unit.of(new Operation.PutInbox(in), append(runId, record(LONG))));
            store.journal().commit(Unit.of(append(runId, record(OTHER))));
            store.journal()
                    .commit(Unit.of(new Operation.PutOutbox(out), append(runId, record(OTHER))));
            assertEquals(2, texts(store));
            assertArrayEquals(
                    in.payload(), store.journal().inbox(in.messageId()).orElseThrow().payload());
            assertArrayEquals(out.payload(), store.journal().outboxOf(runId).getFirst().payload());
            store.end(runId);
            long later = System.currentTimeMillis() + 60_000;
            drop(store, SettledKind.MESSAGE, in.messageId(), later);
            drop(store, SettledKind.ANSWER, out.outboxId(), later);
            assertEquals(2, texts(store), "the tape still has both");
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 1)));
            assertEquals(1, texts(store));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 2)));
            assertArrayEquals(
                    record(OTHER), store.journal().tape(runId, 2, 1).getFirst().payload());
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 3)));
            assertEquals(0, texts(store));
            VerificationReport report = store.journal().verifyStream(runId, () -> false);
            assertTrue(report.fault().isEmpty(), report.toString());
            assertEquals(3, report.withheld());
        }
        assertFalse(anyFileHas(utf8("Once upon a time")));
        assertFalse(anyFileHas(utf8("And they lived")));
    }

    private static void drop(TestStore store, SettledKind kind, String id, long before) {
        store.journal().commit(Unit.of(new Operation.DropSettled(kind, id, before)));
    }

    private boolean anyFileHas(byte[] text) throws IOException {
        String wanted = new String(text, StandardCharsets.ISO_8859_1);
        try (Stream<Path> all = Files.walk(state)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (content.contains(wanted)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void aUnitThatIsRefusedLeavesNoTextAndNoUse() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            InboxRow in = inbox(runId, question(LONG));
            Unit refused =
                    Unit.of(
                            new Operation.PutInbox(in),
                            append(runId, record(LONG)),
                            new Operation.FinishCommand("no such command", "x"));
            assertThrows(PalyraException.class, () -> store.journal().commit(refused));
            assertEquals(0, texts(store));
            store.journal().commit(Unit.of(append(runId, record(OTHER)))); // takes the same number
            store.journal().commit(Unit.of(append(runId, record(LONG))));
            assertThrows(PalyraException.class, () -> store.journal().commit(refused));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 2)));
            assertEquals(1, texts(store), "the refused unit holds no use of the text");
            assertArrayEquals(
                    record(OTHER), store.journal().tape(runId, 0, 1).getFirst().payload());
        }
    }

    @Test
    void textsAreKeptOverARestartAndNumbersNotUsedAgain() throws SQLException {
        String runId;
        try (TestStore store = TestStore.open(state)) {
            runId = store.newRun();
            store.journal().commit(Unit.of(append(runId, record(LONG))));
            store.journal().commit(Unit.of(append(runId, record(OTHER))));
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, 2)));
        }
        try (TestStore store = TestStore.open(state)) {
            assertArrayEquals(record(LONG), store.journal().tape(runId, 0, 1).getFirst().payload());
            store.journal().commit(Unit.of(append(runId, record(OTHER))));
            try (Sql sql = store.direct()) {
                assertEquals(3, sql.number("SELECT max(text_no) FROM texts", 0));
            }
        }
    }

    @Test
    void aTextThatIsDamagedCostsTheRowsThatHaveIt() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            InboxRow in = inbox(runId, question(LONG));
            store.journal()
                    .commit(Unit.of(new Operation.PutInbox(in), append(runId, record(LONG))));
            String other = store.newRun();
            store.journal().commit(Unit.of(append(other, record(OTHER))));
            try (Sql sql = store.direct()) {
                sql.update("UPDATE texts SET content = upper(content) WHERE text_no = 1");
            }
            assertEquals(
                    VerificationReport.Kind.PAYLOAD,
                    store.journal().verifyStream(runId, () -> false).fault().orElseThrow().kind());
            assertTrue(store.journal().verifyStream(other, () -> false).fault().isEmpty());
            try (Sql sql = store.direct()) {
                sql.update("DELETE FROM texts WHERE text_no = 1");
            }
            PalyraException lost =
                    assertThrows(PalyraException.class, () -> store.journal().tape(runId, 0, 1));
            assertEquals(ErrorCode.CORRUPT, lost.code());
            assertTrue(lost.getMessage().contains("record 1 of " + runId), lost.getMessage());
            assertThrows(PalyraException.class, () -> store.journal().inbox(in.messageId()));
            assertArrayEquals(
                    record(OTHER), store.journal().tape(other, 0, 1).getFirst().payload());
            assertEquals(
                    VerificationReport.Kind.UNREADABLE,
                    store.journal().verifyStream(runId, () -> false).fault().orElseThrow().kind());
        }
    }

    @Test
    void aPageEndsByTheBytesOfTheTexts() {
        String large = "y".repeat(60_000);
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newRun();
            for (int i = 0; i < 100; i++) {
                store.journal().commit(Unit.of(append(runId, record(i + large))));
            }
            int page = store.journal().tape(runId, 0, 100).size();
            assertTrue(page > 60 && page < 75, "4 MiB of 60,000 bytes each: " + page);
        }
    }

    @Test
    void preconditionsStillSeeCutRows() {
        try (TestStore store = TestStore.open(state)) {
            InboxRow in =
                    new InboxRow(
                            TestStore.IDS.next(),
                            "shell",
                            "",
                            "user:alice",
                            question(LONG),
                            InboxRow.State.QUEUED,
                            "",
                            "",
                            0);
            store.journal().commit(Unit.of(new Operation.PutInbox(in)));
            store.journal()
                    .commit(
                            Unit.builder()
                                    .require(
                                            new Precondition.InboxIn(
                                                    in.messageId(), InboxRow.State.QUEUED))
                                    .add(
                                            new Operation.SettleInbox(
                                                    in.messageId(),
                                                    InboxRow.State.REJECTED,
                                                    "",
                                                    "no"))
                                    .build());
            assertArrayEquals(
                    in.payload(), store.journal().inbox(in.messageId()).orElseThrow().payload());
        }
    }
}
