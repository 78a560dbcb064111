package palyra.shell.internal.costs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;
import palyra.shell.internal.costs.CostReader.Report;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
class CostReaderTest {
    private static final long NOON = Instant.parse("2026-03-10T12:00:00Z").toEpochMilli();
    private static final long DAY = 86_400_000;
    private static final byte[] HASH = new byte[32];

    /** Runs, oldest first, with when they began and their tapes. */
    private final Map<String, Long> begun = new LinkedHashMap<>();

    private final Map<String, List<TapeRecord>> tapes = new LinkedHashMap<>();
    private final AtomicInteger recordsRead = new AtomicInteger();
    private final HostFixture fixture = new HostFixture();
    private CostReader reader;

    @BeforeEach
    void bind() {
        fixture.seams.journal().add(Partial.of(Journal.class, new Runs()), Map.of());
        reader = new CostReader(fixture.seams.journal());
    }

    /** Newest first, as the journal lists them. */
    private final class Runs {
        public List<RunRow> runs(String principal, String session, String before, int limit) {
            assertEquals("", principal);
            List<String> ids = new ArrayList<>(begun.keySet()).reversed();
            int from = before.isEmpty() ? 0 : ids.indexOf(before) + 1;
            return ids.subList(from, Math.min(ids.size(), from + limit)).stream()
                    .map(CostReaderTest.this::row)
                    .toList();
        }

        public List<TapeRecord> tape(String run, long after, int limit) {
            List<TapeRecord> page =
                    tapes.get(run).stream().filter(r -> r.seq() > after).limit(limit).toList();
            recordsRead.addAndGet(page.size());
            return page;
        }
    }

    private RunRow row(String id) {
        long at = begun.get(id);
        return new RunRow(
                id,
                "s",
                "user:anna",
                "a",
                "",
                "",
                "",
                RunState.RUNNING,
                "",
                1,
                at,
                at,
                tapes.get(id).size(),
                Optional.empty());
    }

    private void run(String id, long at) {
        begun.put(id, at);
        tapes.put(id, new ArrayList<>());
    }

    private void append(String run, long at, TapeEvent event, boolean erased) {
        Operation.Append append = TapeCodec.append(run, event);
        List<TapeRecord> tape = tapes.get(run);
        tape.add(
                new TapeRecord(
                        run,
                        tape.size() + 1L,
                        append.type(),
                        at,
                        append.schema(),
                        erased ? null : HASH,
                        erased ? null : append.payload(),
                        HASH,
                        HASH,
                        HASH));
    }

    private void turn(String run, long at, String agent, String model, long micros) {
        append(
                run,
                at,
                new TapeEvent.TurnStarted(1, 1, agent, "openai", model, "", "", "", 5, 0),
                false);
        append(run, at, new TapeEvent.ModelToken(1, 1, "hello"), false);
        append(
                run,
                at,
                new TapeEvent.TurnFinished(
                        1,
                        1,
                        "hello",
                        "stop",
                        List.of(),
                        100,
                        20,
                        "provider",
                        7,
                        micros,
                        micros == 0 ? "" : "USD"),
                false);
    }

    private static Map<String, String> text(Report report) {
        return report.used().entrySet().stream()
                .collect(
                        Collectors.toMap(
                                each ->
                                        each.getKey().day()
                                                + " "
                                                + each.getKey().agent()
                                                + " "
                                                + each.getKey().model(),
                                each ->
                                        each.getValue().turns()
                                                + " turns "
                                                + each.getValue().inputTokens()
                                                + "/"
                                                + each.getValue().cachedTokens()
                                                + "/"
                                                + each.getValue().outputTokens()
                                                + " "
                                                + each.getValue().costMicros()
                                                + each.getKey().currency()));
    }

    @Test
    void addsUpTurnsByTheirDayAgentAndModel() {
        run("old", NOON - 20 * DAY);
        turn("old", NOON - 20 * DAY, "a", "m1", 9);
        run("r1", NOON - DAY);
        turn("r1", NOON - DAY, "a", "m1", 1_000);
        turn("r1", NOON, "a", "m1", 500);
        turn("r1", NOON, "a", "m1", 250);
        run("r2", NOON);
        turn("r2", NOON, "b", "m2", 0);
        Report report = reader.read(14, NOON, () -> false);
        assertEquals(
                Map.of(
                        "2026-03-09 a openai/m1", "1 turns 100/7/20 1000USD",
                        "2026-03-10 a openai/m1", "2 turns 200/14/40 750USD",
                        "2026-03-10 b openai/m2", "1 turns 100/7/20 0"),
                text(report));
        assertEquals(2, report.runs());
        assertEquals("", report.left());
        assertEquals(LocalDate.parse("2026-02-25"), report.from());
    }

    @Test
    void readsOnlyWhatIsNewTheNextTime() {
        run("r1", NOON);
        turn("r1", NOON, "a", "m", 10);
        reader.read(14, NOON, () -> false);
        assertEquals(3, recordsRead.get());
        turn("r1", NOON, "a", "m", 5);
        Report report = reader.read(14, NOON, () -> false);
        assertEquals(6, recordsRead.get());
        assertEquals(Map.of("2026-03-10 a openai/m", "2 turns 200/14/40 15USD"), text(report));
    }

    @Test
    void stopsWhenItsTimeIsUpSaysSoAndGoesOnFromThere() {
        for (int i = 0; i < 10; i++) {
            run("r" + i, NOON + i);
            turn("r" + i, NOON, "a", "m", 1);
        }
        AtomicInteger questions = new AtomicInteger();
        Report part = reader.read(14, NOON, () -> questions.incrementAndGet() > 8);
        assertTrue(part.left().startsWith("Not all is counted yet: runs that began on 2026-03-10"));
        assertTrue(part.runs() < 10, part.runs() + " runs");
        int before = recordsRead.get();
        Report whole = reader.read(14, NOON, () -> false);
        assertEquals("", whole.left());
        assertEquals(10, whole.runs());
        assertEquals(30 - before, recordsRead.get() - before, "nothing is read twice");
    }

    @Test
    void aRunThatIsReadInPartIsNotToldAsAllOfIt() {
        run("older", NOON - 1);
        turn("older", NOON, "a", "m", 1);
        run("long", NOON);
        for (int i = 0; i < 400; i++) {
            turn("long", NOON, "a", "m", 1);
        }
        AtomicInteger questions = new AtomicInteger();
        Report part = reader.read(14, NOON, () -> questions.incrementAndGet() > 2);
        assertEquals(500, recordsRead.get(), "one page of it");
        assertTrue(part.left().startsWith("Not all is counted yet"), part.left());
        assertEquals(0, part.runs());
        assertEquals(Map.of(), text(part));
        Report whole = reader.read(14, NOON, () -> false);
        assertEquals(2, whole.runs());
        assertEquals("", whole.left());
        assertTrue(text(whole).get("2026-03-10 a openai/m").startsWith("401 turns"));
        assertEquals(1_203, recordsRead.get(), "nothing is read twice");
    }

    private void damage(String run, String type) {
        List<TapeRecord> tape = tapes.get(run);
        TapeRecord last = tape.stream().filter(r -> r.type().equals(type)).toList().getLast();
        tape.set(
                (int) last.seq() - 1,
                new TapeRecord(
                        run,
                        last.seq(),
                        type,
                        last.timeMillis(),
                        last.schema(),
                        HASH,
                        "{\"turn\":".getBytes(StandardCharsets.UTF_8),
                        HASH,
                        HASH,
                        HASH));
    }

    @Test
    void aDamagedRecordIsCountedAsSuchAndHidesNoOther() throws Exception {
        run("r1", NOON);
        turn("r1", NOON, "a", "m1", 1);
        turn("r1", NOON, "a", "m2", 1);
        damage("r1", "turn_started");
        turn("r1", NOON, "a", "m3", 1);
        damage("r1", "turn_finished");
        run("r2", NOON);
        turn("r2", NOON, "b", "m", 1);
        Report report = reader.read(14, NOON, () -> false);
        assertEquals(2, report.unreadable());
        assertEquals(
                Map.of(
                        "2026-03-10 a openai/m1", "1 turns 100/7/20 1USD",
                        "2026-03-10  ", "1 turns 100/7/20 1USD",
                        "2026-03-10 b openai/m", "1 turns 100/7/20 1USD"),
                text(report));
        fixture.add(new CostsCommand(fixture.seams));
        begun.replaceAll((run, at) -> System.currentTimeMillis());
        String json = fixture.run("costs", "--json").outText();
        assertEquals(2, new ObjectMapper().readTree(json).path("unreadableRecords").asInt(), json);
    }

    @Test
    void saysHowManyTurnsAreErased() {
        run("r1", NOON);
        TapeEvent ended = new TapeEvent.TurnFinished(1, 1, "x", "stop", List.of(), 1, 1);
        append("r1", NOON, ended, true);
        append("r1", NOON, new TapeEvent.ModelToken(1, 1, "y"), true);
        Report report = reader.read(14, NOON, () -> false);
        assertEquals(1, report.withheld());
        assertEquals(Map.of(), text(report));
    }

    @Test
    void boundsTheRunsOfAReport() {
        for (int i = 0; i < CostReader.MOST_RUNS + 3; i++) {
            run("r" + i, NOON);
        }
        Report report = reader.read(14, NOON, () -> false);
        assertEquals(CostReader.MOST_RUNS, report.runs());
        assertTrue(report.left().startsWith("Counted are the newest 10000 runs"), report.left());
    }

    @Test
    void commandWritesADocumentOrATable() throws Exception {
        long now = System.currentTimeMillis();
        run("r1", now);
        turn("r1", now, "a", "m", 1_500);
        fixture.add(new CostsCommand(fixture.seams));
        String day = LocalDate.ofInstant(Instant.ofEpochMilli(now), java.time.ZoneOffset.UTC) + "";
        JsonNode document = new ObjectMapper().readTree(fixture.run("costs", "--json").outText());
        assertEquals(1, document.path("runs").asInt());
        assertEquals(day, document.path("rows").get(0).path("day").asText());
        assertEquals(1_500, document.path("rows").get(0).path("costMicros").asLong());
        String table = fixture.run("costs", "--days=1").outText();
        assertTrue(table.contains("openai/m") && table.contains("0.0015 USD"), table);
        assertEquals(ExitCodes.USAGE, fixture.run("costs", "--days=32").code());
    }
}
