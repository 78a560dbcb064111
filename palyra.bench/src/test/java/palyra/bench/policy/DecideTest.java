package palyra.bench.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.bench.report.Latencies;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;

class DecideTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Report report() {
        return new Report(
                new Machine(2, "25", "Linux", "ext4", ""),
                folder,
                Instant.EPOCH,
                new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @Test
    void bothEnginesDecideAlikeAndNotAlwaysTheSame() throws Exception {
        CompiledEngine ours = new CompiledEngine();
        try (NativeEngine peer = new NativeEngine()) {
            DecideSuite suite = new DecideSuite(List.of(20), List.of(5), 0, 0);
            suite.measure(Scenario.of(20, 5), ours, peer, 1, report());
            ours.prepare(Scenario.of(100, 50));
            BitSet allowed = ours.round(0).allowed();
            int yes = allowed.cardinality();
            assertTrue(yes > 6 && yes < Scenario.ASKS - 6, () -> yes + " are allowed");
        }
        String said = out.toString(StandardCharsets.UTF_8);
        assertEquals(2, said.lines().count(), said);
        assertTrue(said.contains("vs the native engine, prepared"), said);
    }

    @Test
    void enginesThatDisagreeEndTheMeasurement() {
        BitSet everything = new BitSet();
        everything.set(0, Scenario.ASKS);
        DecideSuite suite = new DecideSuite(List.of(10), List.of(5), 0, 0);
        assertThrows(
                IllegalStateException.class,
                () ->
                        suite.measure(
                                Scenario.of(10, 5),
                                new Stubborn(everything),
                                new CompiledEngine(),
                                1,
                                report()));
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void anEngineThatIsOfTwoMindsEndsTheMeasurement() {
        boolean[] mind = new boolean[1];
        assertThrows(
                IllegalStateException.class,
                () -> Round.of(i -> mind[0] = !mind[0], 3, 1_000_000_000L));
        assertEquals(5, Round.of(i -> true, 5, 0).allowed().cardinality());
    }

    @Test
    void scenariosAreTheSameEveryTime() {
        assertEquals(Scenario.of(10, 50), Scenario.of(10, 50));
        assertEquals(10, Scenario.of(10, 5).text().lines().count());
    }

    /** Allows a fixed set of requests. */
    private record Stubborn(BitSet answer) implements BenchEngine {
        @Override
        public String name() {
            return "stubborn";
        }

        @Override
        public void prepare(Scenario scenario) {}

        @Override
        public Round round(long nanos) {
            Latencies latencies = new Latencies();
            latencies.add(1);
            return new Round(latencies, answer);
        }
    }
}
