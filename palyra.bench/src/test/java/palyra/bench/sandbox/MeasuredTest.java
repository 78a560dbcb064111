package palyra.bench.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.bench.report.Goal;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;

class MeasuredTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Output output = new Output(new PrintStream(lines, true, StandardCharsets.UTF_8));

    private Measured measured() throws IOException {
        return Measured.parse(lines.toString(StandardCharsets.UTF_8).lines().toList());
    }

    private Report report() {
        return new Report(
                new Machine(2, "25", "Linux", "ext4", ""),
                folder,
                Instant.EPOCH,
                new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @Test
    void readsWhatTheMeasuringProcessTells() throws Exception {
        output.fact("tierb", "strict tier=b \"quoted\"\nsecond line");
        output.round("tierb", List.of(1_000_000L, 3_000_000L));
        output.round("tierb", List.of(5_000_000L));
        Measured measured = measured();
        assertEquals("strict tier=b \"quoted\"\nsecond line", measured.facts().get("tierb"));
        assertEquals(2, measured.rounds().get("tierb").size());
        assertEquals(2, measured.rounds().get("tierb").get(0).size());
    }

    @Test
    void refusesWhatIsNeitherFactNorRound() {
        assertThrows(IOException.class, () -> Measured.parse(List.of("{\"series\":\"a\"}")));
        assertThrows(
                IOException.class,
                () -> Measured.parse(List.of("{\"series\":\"a\",\"nanos\":[]}")));
        assertThrows(IOException.class, () -> Measured.parse(List.of("Killed")));
    }

    @Test
    void comparesTheRoundsOfTwo() throws Exception {
        output.round("tierb", List.of(3_000_000L, 3_000_000L, 9_000_000L));
        output.round("builder", List.of(2_000_000L));
        measured()
                .compare("f", 50, "tierb", "builder", "peer", new Goal.RatioAtMost(1.5), report());
        String line = printed.toString(StandardCharsets.UTF_8);
        assertTrue(line.contains("f: 3.00 ms (3.00–3.00) vs peer 2.00 ms"), line);
        assertTrue(line.contains("ratio 1.50 (goal ratio ≤ 1.50, met)"), line);
    }

    @Test
    void leavesOutAFigureOfWhichOneSideIsMissing() throws Exception {
        output.round("builder", List.of(2_000_000L));
        measured().compare("f", 50, "tierc", "builder", "peer", new Goal.None(), report());
        measured().compare("f", 50, "builder", "absent", "peer", new Goal.None(), report());
        assertEquals("", printed.toString(StandardCharsets.UTF_8));
    }
}
