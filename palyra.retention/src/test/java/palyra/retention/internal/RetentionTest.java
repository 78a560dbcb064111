package palyra.retention.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalSettings;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** What is older than it is kept goes, nothing else does, and the tape still verifies. */
class RetentionTest {
    private static final BooleanSupplier ON = () -> false;
    private static final Ages USUAL = new Ages(1, 30, 365, 0, 0);
    private static final Ages TAPES = new Ages(1, 30, 365, 90, 0);
    private static final EnumSet<Kind> ALL = EnumSet.allOf(Kind.class);

    @TempDir Path state;
    private Store store;

    @BeforeEach
    void open() {
        store = new Store(state);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Retention with(Ages ages) {
        return new Retention(store.gate, store.clock, ages);
    }

    private Map<Kind, Removed> sweep(Ages ages) {
        return with(ages).sweep(ALL, ON, kind -> {});
    }

    private void later(long amount, TimeUnit unit) {
        store.clock.advance(unit.toMillis(amount));
    }

    private VerificationReport verified() {
        VerificationReport report = store.journal.verifyAll(ON);
        assertTrue(report.complete());
        assertTrue(report.fault().isEmpty(), () -> report.fault().get().toString());
        return report;
    }

    @Test
    void streamedTextGoesAnHourAfterTheRunAndTheAnswerStays() {
        String old = store.run("why", "because", 900);
        String open = store.open("how", "so", 3);
        later(2, TimeUnit.HOURS);
        String young = store.run("when", "now", 3);
        Removed removed = sweep(USUAL).get(Kind.TOKENS);
        assertEquals(List.of(1L, 900L), List.of(removed.runs(), removed.records()));
        assertTrue(removed.bytes() > 900 * 20);
        assertEquals(List.of("message", "message"), store.whole(old));
        assertEquals(4, store.whole(open).size());
        assertEquals(5, store.whole(young).size());
        assertEquals(900, verified().withheld());
        assertEquals(Removed.NOTHING, sweep(USUAL).get(Kind.TOKENS), "nothing is left to do");
    }

    @Test
    void theAgesAreNumbersInJsonAndWordsForPeople() throws Exception {
        FakeCommandContext json = FakeCommandContext.builder().json().build();
        new ShowCommand(with(USUAL), 60).run(json);
        assertEquals(List.of(), json.output().tables());
        Map<String, Object> fields = json.output().fieldSets().get(0);
        List<Object> hours = new ArrayList<>();
        ((List<?>) fields.get("kinds"))
                .forEach(kind -> hours.add(((Map<?, ?>) kind).get("keptHours")));
        assertEquals(Arrays.asList(1L, 720L, 8760L, null, null), hours);
        FakeCommandContext plain = FakeCommandContext.builder().build();
        new ShowCommand(with(USUAL), 60).run(plain);
        assertEquals("1 hour", plain.output().tables().get(0).rows().get(0).get(1));
        FakeCommandContext plan = FakeCommandContext.builder().json().build();
        new PlanCommand(with(USUAL)).run(plan);
        assertEquals("Kept hours", plan.output().tables().get(0).headings().get(1));
    }

    @Test
    void settledRowsGoAndWhatWaitsStays() {
        String runId = store.run("why", "because", 1);
        String waiting = store.open("how", "so", 1);
        store.end(waiting, "so", OutboxRow.State.PENDING);
        String queued = store.id();
        store.journal.commit(
                Unit.of(
                        new Operation.PutInbox(
                                new InboxRow(
                                        queued,
                                        "grpc",
                                        "",
                                        "user:a",
                                        Store.json("x"),
                                        InboxRow.State.QUEUED,
                                        "",
                                        "",
                                        0))));
        later(29, TimeUnit.DAYS);
        assertEquals(Removed.NOTHING, sweep(USUAL).get(Kind.DELIVERIES));
        later(2, TimeUnit.DAYS);
        Removed removed = sweep(USUAL).get(Kind.DELIVERIES);
        assertEquals(5, removed.rows(), "two messages, one answer, two commands");
        assertEquals(List.of(), store.journal.outboxOf(runId));
        assertEquals(1, store.journal.outboxOf(waiting).size());
        assertTrue(store.journal.inbox(queued).isPresent());
        assertEquals(List.of("message", "message"), store.whole(runId));
        verified();
    }

    @Test
    void zeroKeepsForGood() {
        String runId = store.run("why", "because", 2);
        later(10_000, TimeUnit.DAYS);
        assertEquals(Map.of(), sweep(new Ages(0, 0, 0, 0, 0)));
        assertEquals(4, store.whole(runId).size());
        assertEquals(Map.of(), with(new Ages(0, 0, 0, 0, 0)).due(10, ON));
    }

    @Test
    void erasedTapesVerifyAndNoFileHoldsTheText() throws IOException {
        String question = "the marker of the question";
        String answer = "the marker of the answer";
        String large = "the marker of a large text " + "x".repeat(100_000);
        String runId = store.run(question, answer, 10);
        store.run(question, large, 1);
        assertTrue(foundAnywhere("the marker of"));
        later(91, TimeUnit.DAYS);
        Map<Kind, Removed> removed = sweep(TAPES);
        assertEquals(2, removed.get(Kind.TAPES).runs());
        assertEquals(List.of(), store.whole(runId));
        VerificationReport report = verified();
        assertEquals(2, report.seals());
        assertEquals(2 + 10 + 2 + 1, report.withheld());
        Await.until("the text to be nowhere", () -> !foundAnywhere("the marker of"));
        assertEquals(
                List.of(), store.journal.settled(SettledKind.ANSWER, Long.MAX_VALUE >> 20, "", 9));
    }

    @Test
    void deniedDecisionsGoAndAllowedOnesStay() {
        Ages ages = new Ages(0, 0, 0, 0, 30);
        for (String decision : List.of("deny", "allow", "no_decision")) {
            record("access_decision", "{\"decision\":\"" + decision + "\"}");
        }
        record("access_denials_counted", "{\"count\":1}");
        record("break_glass", "{\"decision\":\"deny\"}");
        later(31, TimeUnit.DAYS);
        record("access_decision", "{\"decision\":\"deny\"}");
        assertEquals(Map.of(Kind.DENIALS, 3L), with(ages).due(100, ON));
        assertEquals(Map.of(Kind.DENIALS, 2L), with(ages).due(2, ON));
        assertEquals(Map.of(), sweep(new Ages(0, 0, 0, 0, 0)));
        assertEquals(3, sweep(ages).get(Kind.DENIALS).records());
        List<String> kept =
                store.tape(TapeRecord.JOURNAL_STREAM).stream()
                        .filter(record -> record.payload() != null)
                        .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                        .filter(text -> text.contains("decision"))
                        .toList();
        assertEquals(
                List.of(
                        "{\"decision\":\"allow\"}",
                        "{\"decision\":\"deny\"}",
                        "{\"decision\":\"deny\"}"),
                kept,
                "the second is the emergency list, the third is new");
        assertEquals(3, verified().withheld());
        assertTrue(store.events().getLast().contains("\"kind\":\"denials\""));
        assertEquals(0, sweep(ages).get(Kind.DENIALS).records());
        later(31, TimeUnit.DAYS);
        assertEquals(Map.of(Kind.DENIALS, 1L), with(ages).due(100, ON));
        assertEquals(1, sweep(ages).get(Kind.DENIALS).records());
        assertEquals(4, verified().withheld());
    }

    /** Its note how far it came is part of making room. */
    @Test
    void denialsGoWhileSpaceIsShort() {
        record("access_decision", "{\"decision\":\"deny\"}");
        String runId = store.run("why", "because", 2);
        later(31, TimeUnit.DAYS);
        store.journal.change(
                JournalSettings.under(state, "")
                        .with(new JournalSettings.Medium(8 << 20, 64 << 20, 1L << 50, 2_000)));
        Await.until(
                "space to be short",
                () -> store.journal.status().state() == JournalStatus.State.DISK_FULL);
        Map<Kind, Removed> removed = sweep(new Ages(1, 0, 0, 0, 30));
        assertEquals(1, removed.get(Kind.DENIALS).records());
        assertEquals(List.of("message", "message"), store.whole(runId));
        assertEquals(0, sweep(new Ages(1, 0, 0, 0, 30)).get(Kind.DENIALS).records());
    }

    /** A journal that goes away in the middle does not make a secret of what is gone. */
    @Test
    void aSweepThatFailsTellsWhatItHadRemoved() {
        store.run("why", "because", 3);
        later(31, TimeUnit.DAYS);
        PalyraException failure =
                assertThrows(
                        PalyraException.class,
                        () ->
                                with(USUAL)
                                        .sweep(
                                                ALL,
                                                ON,
                                                kind -> {
                                                    if (kind == Kind.DELIVERIES) {
                                                        store.gate.remove(store.journal);
                                                    }
                                                }));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, failure.code());
        assertTrue(
                failure.getMessage().endsWith("Removed before that: 3 records, 0 rows."),
                failure.getMessage());
    }

    private void record(String type, String json) {
        store.journal.commit(
                Unit.of(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM,
                                type,
                                1,
                                json.getBytes(StandardCharsets.UTF_8))));
    }

    /** Looks into every file of the state, the write-ahead log among them. */
    private boolean foundAnywhere(String text) {
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String all = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (all.contains(text)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aRunWhoseAnswerWasNotDeliveredIsKeptAndNamed() {
        String held = store.open("how", "so", 1);
        store.end(held, "so", OutboxRow.State.UNKNOWN);
        String other = store.run("why", "because", 1);
        later(100, TimeUnit.DAYS);
        Retention retention = with(TAPES);
        Removed removed = retention.sweep(ALL, ON, kind -> {}).get(Kind.TAPES);
        assertEquals(List.of(1L, 1L), List.of(removed.runs(), removed.skipped()));
        assertEquals(List.of("message", "message"), store.whole(held));
        assertEquals(List.of(), store.whole(other));
        String finding = retention.findings().getFirst().message();
        assertTrue(finding.contains(held) && finding.contains("UNKNOWN"), finding);
    }

    @Test
    void aDamagedRunCostsOnlyItself() throws SQLException {
        String damaged = store.run("how", "y".repeat(70_000), 2);
        String other = store.run("why", "because", 2);
        later(2, TimeUnit.HOURS);
        sql(
                "UPDATE tape SET payload_file = '"
                        + "0".repeat(64)
                        + "' WHERE type = 'model_token'"
                        + " AND payload_file IS NOT NULL");
        Removed removed = sweep(USUAL).get(Kind.TOKENS);
        assertEquals(List.of(1L, 1L), List.of(removed.runs(), removed.skipped()));
        assertTrue(removed.problem().contains(damaged), removed.problem());
        assertEquals(List.of("message", "message"), store.whole(other));
    }

    private void sql(String text) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:sqlite:" + state.resolve("journal/journal.db"));
                Statement statement = connection.createStatement()) {
            assertTrue(statement.executeUpdate(text) > 0);
        }
    }

    @Test
    void whatIsRemovedIsOnTheJournalInTheSameUnit() {
        store.run("why", "because", 500);
        String last = store.run("how", "so", 5);
        later(100, TimeUnit.DAYS);
        Map<Kind, Removed> removed = sweep(TAPES);
        String all = String.join("\n", store.events());
        assertTrue(all.contains("\"kind\":\"tokens\"") && all.contains("\"kind\":\"tapes\""), all);
        assertTrue(all.contains("\"kind\":\"deliveries\""), all);
        assertTrue(all.contains("\"runIds\":[") && all.contains(last), all);
        long told =
                store.events().stream()
                        .mapToLong(event -> number(event, "records") + number(event, "rows"))
                        .sum();
        assertEquals(
                removed.values().stream().mapToLong(sum -> sum.records() + sum.rows()).sum(), told);
    }

    private static long number(String event, String name) {
        return Long.parseLong(event.replaceAll(".*\"" + name + "\":(\\d+).*", "$1"));
    }

    @Test
    void aSweepThatIsStoppedIsFinishedByTheNext() {
        for (int i = 0; i < 5; i++) {
            store.run("why", "because", 300);
        }
        later(2, TimeUnit.HOURS);
        int[] asked = {0};
        with(USUAL).sweep(ALL, () -> asked[0]++ > 2, kind -> {});
        long left = with(USUAL).due(100, ON).get(Kind.TOKENS);
        assertTrue(left > 0 && left <= 5, left + " runs are left");
        sweep(USUAL);
        assertEquals(0, with(USUAL).due(100, ON).get(Kind.TOKENS));
        assertEquals(1_500, verified().withheld());
    }

    @Test
    void planCountsWhatTheSweepRemoves() {
        for (int i = 0; i < 3; i++) {
            store.run("why", "because", 2);
        }
        later(100, TimeUnit.DAYS);
        Map<Kind, Long> due = with(TAPES).due(100, ON);
        assertEquals(
                Map.of(Kind.TOKENS, 3L, Kind.DELIVERIES, 9L, Kind.APPROVALS, 0L, Kind.TAPES, 3L),
                due);
        assertEquals(2, with(TAPES).due(2, ON).get(Kind.DELIVERIES));
        Map<Kind, Removed> removed = sweep(TAPES);
        assertEquals(9, removed.get(Kind.DELIVERIES).rows());
        assertEquals(3, removed.get(Kind.TAPES).runs());
    }

    @Test
    void aClockThatJumpedRemovesNothingUntilAnOperatorAsks() {
        Retention retention = with(TAPES);
        retention.sweepWhenDue(ON);
        String runId = store.run("why", "because", 2);
        later(400, TimeUnit.DAYS);
        retention.sweepWhenDue(ON);
        assertEquals(4, store.whole(runId).size());
        assertTrue(retention.findings().getFirst().message().contains("400 days"));
        FakeCommandContext shown = FakeCommandContext.builder().json().build();
        new ShowCommand(retention, 60).run(shown);
        String suspended = shown.output().fieldSets().getFirst().get("suspended").toString();
        assertTrue(suspended.contains("400 days past the last sweep"), suspended);
        retention.sweep(ALL, ON, kind -> {});
        assertEquals(List.of(), store.whole(runId));
        assertEquals(List.of(), retention.findings());
        later(1, TimeUnit.DAYS);
        retention.sweepWhenDue(ON);
        assertEquals(List.of(), retention.findings());
    }

    @Test
    void oneSweepAtATime() {
        store.run("why", "because", 2);
        later(2, TimeUnit.HOURS);
        Retention retention = with(USUAL);
        PalyraException[] second = new PalyraException[1];
        retention.sweep(
                ALL,
                ON,
                kind -> {
                    Thread other =
                            Thread.ofPlatform()
                                    .start(
                                            () ->
                                                    second[0] =
                                                            assertThrows(
                                                                    PalyraException.class,
                                                                    () ->
                                                                            retention.sweep(
                                                                                    ALL, ON,
                                                                                    k -> {})));
                    try {
                        other.join();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        assertEquals(ErrorCode.CONFLICT, second[0].code());
    }

    @Test
    void aSweepThatLosesTheJournalIsToldAndTheNextGoesOn() {
        String runId = store.run("why", "because", 2);
        later(2, TimeUnit.HOURS);
        Retention retention = with(USUAL);
        int[] asked = {0};
        retention.sweepWhenDue(
                () -> {
                    if (asked[0]++ == 0) {
                        store.gate.remove(store.journal); // as a swap does, in the middle
                    }
                    return false;
                });
        String finding = retention.findings().getFirst().message();
        assertTrue(finding.contains("ended early"), finding);
        store.gate.add(store.journal, Map.of());
        retention.sweepWhenDue(ON);
        assertEquals(List.of(), retention.findings());
        assertEquals(List.of("message", "message"), store.whole(runId));
    }

    @Test
    void withoutAJournalNothingHappensAndALaterSweepDoesIt() {
        String runId = store.run("why", "because", 2);
        later(2, TimeUnit.HOURS);
        Retention retention = with(USUAL);
        store.gate.remove(store.journal);
        retention.sweepWhenDue(ON);
        assertThrows(PalyraException.class, () -> retention.sweep(ALL, ON, kind -> {}));
        store.gate.add(store.journal, Map.of());
        retention.sweepWhenDue(ON);
        assertEquals(List.of("message", "message"), store.whole(runId));
    }

    @Test
    void aMessageSentAgainAfterItsRowWasDroppedIsANewOne() {
        store.run("why", "because", 0);
        String messageId = store.journal.runs("", "", "", 1).getFirst().messageId();
        later(31, TimeUnit.DAYS);
        sweep(USUAL);
        assertFalse(store.journal.inbox(messageId).isPresent());
        ManualClock clock = store.clock;
        store.close();
        store = new Store(state, clock, new MemoryKeys());
        assertEquals(List.of(), store.journal.losses(""), "a dropped message is no lost run");
    }
}
