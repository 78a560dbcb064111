package palyra.health.internal.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.core.ops.Metric;

class MetricHistoryTest {
    private static final long STEP = MetricHistory.FINE_MILLIS;
    private final MetricHistory history = new MetricHistory(1_000);
    private long now = 1_000;

    private void look(Metric... metrics) {
        now += STEP;
        history.look(now, List.of(metrics));
    }

    private List<Double> line(String chart, String name) {
        int line = 0;
        for (RecordedChart each : RecordedChart.ALL) {
            for (RecordedSeries series : each.series()) {
                if (each.title().equals(chart) && series.name().equals(name)) {
                    return history.window(false, 1_000).column(line);
                }
                line++;
            }
        }
        throw new AssertionError("no line " + chart + ", " + name);
    }

    private static Metric heap(long mebibytes) {
        return Metric.gauge("palyra_jvm_heap_used_bytes", "Heap.", (double) (mebibytes << 20));
    }

    private static Metric decided(String decision, double count) {
        return new Metric(
                "palyra_access_decisions_total",
                "Decisions.",
                Metric.Type.COUNTER,
                Map.of("decision", decision),
                count);
    }

    private static Metric turns(String sample, double value) {
        return new Metric(
                "palyra_model_turn_seconds_" + sample,
                "Turns.",
                Metric.Type.HISTOGRAM,
                Map.of("provider", "p"),
                value);
    }

    @Test
    void keepsLevelsInTheirUnit() {
        look(heap(5));
        look();
        look(heap(7));
        assertEquals(List.of(5.0, Double.NaN, 7.0), line("Memory", "heap in use"));
    }

    @Test
    void growthIsAMinuteAndOfTheLabelAskedFor() {
        look(decided("denied", 100), decided("allowed", 5));
        look(decided("denied", 102), decided("allowed", 900));
        assertEquals(List.of(Double.NaN, 12.0), line("Denied", "actions"));
    }

    @Test
    void aCounterThatIsAwayOrBeginsAgainMakesNoJump() {
        look(decided("denied", 1_000));
        look();
        look(decided("denied", 1_001));
        look(decided("denied", 2));
        assertEquals(List.of(Double.NaN, 0.0, 6.0, 12.0), line("Denied", "actions"));
    }

    @Test
    void aCounterThatAppearsLaterCountsFromNothing() {
        look();
        look(decided("denied", 3));
        assertEquals(18.0, line("Denied", "actions").get(1));
    }

    @Test
    void meansAreOfWhatEndedSinceTheLastLook() {
        look(turns("sum", 100), turns("count", 10));
        look(turns("sum", 106), turns("count", 12));
        look(turns("sum", 106), turns("count", 12));
        assertEquals(List.of(Double.NaN, 3.0, Double.NaN), line("Time of a model turn", "mean"));
    }

    @Test
    void holdsHalfAnHourAndADayAndNoMore() {
        for (int i = 0; i < 9_000; i++) {
            look(heap(i));
        }
        MetricHistory.Window fine = history.window(false, 10_000);
        assertEquals(180, fine.times().size());
        assertEquals(now, fine.times().get(179));
        assertEquals(now - 179 * STEP, fine.times().get(0));
        MetricHistory.Window day = history.window(true, 10_000);
        assertEquals(1_440, day.times().size());
        assertEquals(60_000, day.everyMillis());
        assertEquals(1_000, day.sinceMillis());
        assertEquals(86_340_000, day.times().get(1_439) - day.times().get(0));
    }

    @Test
    void neighboursBecomeTheirMeanWhenFewerPointsAreWanted() {
        List<Double> heaps = new ArrayList<>();
        for (int i = 0; i < 180; i++) {
            look(heap(i));
        }
        MetricHistory.Window window = history.window(false, 60);
        int heapLine = 0;
        for (RecordedChart chart : RecordedChart.ALL) {
            for (RecordedSeries series : chart.series()) {
                if (series.name().equals("heap in use")) {
                    heaps = window.column(heapLine);
                }
                heapLine++;
            }
        }
        assertEquals(60, heaps.size());
        assertEquals(1.0, heaps.get(0));
        assertEquals(178.0, heaps.get(59));
        assertEquals(30_000, window.everyMillis());
        assertEquals(now, window.times().get(59));
    }

    @Test
    void followsABoundedNumberOfLabels() {
        List<Metric> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(
                    new Metric(
                            "palyra_tool_calls_total",
                            "Calls.",
                            Metric.Type.COUNTER,
                            Map.of("tool", "t" + i),
                            1));
        }
        look();
        look(many.toArray(Metric[]::new));
        double grown = line("Calls", "tool calls").get(1);
        assertTrue(grown <= 6_000, grown + " a minute of 1,000 labels at most");
    }
}
