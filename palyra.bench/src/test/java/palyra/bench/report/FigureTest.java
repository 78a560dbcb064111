package palyra.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureTest {
    private static final Machine MACHINE = new Machine(2, "25.0.1+8", "Linux", "ext4", "");

    @TempDir Path folder;

    private static Measure measure(String unit, Double... runs) {
        return new Measure(unit, List.of(runs));
    }

    private static Figure figure(Goal goal) {
        return new Figure(
                "journal.group-1",
                measure("events/s", 41_000.0, 40_000.0, 52_000.0),
                "raw SQLite in transactions of 200",
                measure("events/s", 80_000.0, 82_000.0, 90_000.0),
                goal);
    }

    @Test
    void oneLineSaysEverything() {
        assertEquals(
                "bench journal.group-1: 41,000 events/s (40,000–52,000) vs raw SQLite in"
                        + " transactions of 200 82,000 events/s (80,000–90,000) = ratio 0.500"
                        + " (goal ≥ 40,000 events/s, met) [3 runs, 2 cores, JDK 25.0.1+8]",
                figure(new Goal.AtLeast(40_000)).line(MACHINE));
    }

    @Test
    void missedGoalIsSaidAloud() {
        assertTrue(
                figure(new Goal.AtLeast(41_001))
                        .line(MACHINE)
                        .contains("(goal ≥ 41,001 events/s, MISSED)"));
        assertTrue(figure(new Goal.None()).line(MACHINE).contains("(goal none)"));
    }

    @Test
    void goalsAreJudgedAtTheirBounds() {
        assertTrue(figure(new Goal.AtLeast(41_000)).met());
        assertTrue(figure(new Goal.AtMost(41_000)).met());
        assertFalse(figure(new Goal.AtMost(40_999)).met());
        assertTrue(figure(new Goal.RatioAtMost(0.5)).met());
        assertFalse(figure(new Goal.RatioAtMost(0.49)).met());
        assertTrue(figure(new Goal.Both(41_000, 0.5)).met());
        assertFalse(figure(new Goal.Both(40_999, 0.5)).met());
        assertFalse(figure(new Goal.Both(41_000, 0.49)).met());
    }

    @Test
    void refusesToCompareDifferentUnits() {
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new Figure(
                                "x", measure("ms", 1.0), "y", measure("µs", 1.0), new Goal.None()));
    }

    @Test
    void medianOfAnEvenNumberIsBetween() {
        assertEquals(2.5, measure("ms", 4.0, 1.0, 2.0, 3.0).median());
        assertThrows(IllegalArgumentException.class, () -> measure("ms"));
        assertThrows(IllegalArgumentException.class, () -> measure("ms", Double.NaN));
    }

    @Test
    void percentilesAreThoseOfTheRank() {
        Latencies latencies = new Latencies();
        for (int i = 2_000; i >= 1; i--) {
            latencies.add(i * 1_000L);
        }
        assertEquals(1_000, latencies.micros(50));
        assertEquals(1_980, latencies.micros(99));
        assertEquals(2, latencies.millis(100));
        assertThrows(IllegalArgumentException.class, () -> latencies.micros(0));
        assertThrows(IllegalStateException.class, () -> new Latencies().micros(50));
    }

    @Test
    void mergedLatenciesAreAllThere() {
        Latencies one = new Latencies();
        Latencies other = new Latencies();
        one.add(1_000);
        other.add(3_000);
        one.addAll(other);
        assertEquals(2, one.size());
        assertEquals(3, one.micros(100));
    }

    @Test
    void rawFileHoldsEveryRunAndTheLine() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Report report =
                new Report(
                        MACHINE,
                        folder.resolve("result"),
                        Instant.parse("2026-11-22T01:02:03Z"),
                        new PrintStream(out, true, StandardCharsets.UTF_8));
        Figure figure = figure(new Goal.AtLeast(40_000));
        report.add(figure);
        report.fact("load", "none");
        Path file = report.write();
        assertEquals("bench-2026-11-22T010203.json", file.getFileName().toString());
        assertEquals(
                figure.line(MACHINE) + System.lineSeparator(),
                out.toString(StandardCharsets.UTF_8));
        JsonNode raw = new ObjectMapper().readTree(file.toFile());
        assertEquals("none", raw.at("/facts/load").asText());
        assertEquals(2, raw.at("/machine/cores").asInt());
        assertEquals(52_000, raw.at("/figures/0/ours/runs/2").asDouble());
        assertEquals(0.5, raw.at("/figures/0/ratio").asDouble());
        assertEquals(figure.line(MACHINE), raw.at("/figures/0/line").asText());
    }

    @Test
    void thisMachineIsDescribed() throws Exception {
        Machine here = Machine.here(folder);
        assertTrue(here.cores() > 0);
        assertFalse(here.fileSystem().isBlank());
        assertTrue(new Machine(1, "25", "Linux", "tmpfs", "").worksInMemory());
    }
}
