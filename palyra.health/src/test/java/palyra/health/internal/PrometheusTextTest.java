package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.ops.Metric;

class PrometheusTextTest {
    private final PrometheusText text = new PrometheusText();

    private void gauge(String name, String help, double value, String... labels) {
        Map<String, String> map =
                labels.length == 0
                        ? Map.of()
                        : labels.length == 2
                                ? Map.of(labels[0], labels[1])
                                : Map.of(labels[0], labels[1], labels[2], labels[3]);
        text.add(new Metric(name, help, Metric.Type.GAUGE, map, value));
    }

    @Test
    void writesHelpAndTypeOncePerNameAndKeepsValuesOfANameTogether() {
        gauge("palyra_b", "B.", 1, "k", "x");
        text.add(Metric.counter("palyra_a_total", "A.", 1.5));
        gauge("palyra_b", "Another wording.", 2, "k", "y");
        assertEquals(
                """
                # HELP palyra_a_total A.
                # TYPE palyra_a_total counter
                palyra_a_total 1.5
                # HELP palyra_b B.
                # TYPE palyra_b gauge
                palyra_b{k="x"} 1
                palyra_b{k="y"} 2
                """,
                text.text());
    }

    @Test
    void escapesHelpAndLabelValues() {
        gauge("palyra_x", "a \\ b\n\"c\"", 1, "k", "q\"uo\\te\nline");
        assertEquals(
                """
                # HELP palyra_x a \\\\ b\\n"c"
                # TYPE palyra_x gauge
                palyra_x{k="q\\"uo\\\\te\\nline"} 1
                """,
                text.text());
    }

    @Test
    void sortsLabels() {
        gauge("palyra_x", "X.", 1, "b", "2", "a", "1");
        assertEquals("palyra_x{a=\"1\",b=\"2\"} 1", text.text().lines().toList().get(2));
    }

    @Test
    void writesNumbersThatPrometheusReads() {
        gauge("palyra_a", "A.", Double.NaN);
        gauge("palyra_b", "B.", Double.POSITIVE_INFINITY);
        gauge("palyra_c", "C.", Double.NEGATIVE_INFINITY);
        gauge("palyra_d", "D.", 9_007_199_254_740_991.0);
        gauge("palyra_e", "E.", 1e300);
        gauge("palyra_f", "F.", -0.25);
        assertEquals(
                "palyra_a NaN|palyra_b +Inf|palyra_c -Inf|palyra_d 9007199254740991"
                        + "|palyra_e 1.0E300|palyra_f -0.25",
                String.join("|", text.text().lines().filter(l -> !l.startsWith("#")).toList()));
    }

    @Test
    void leavesOutWhatWouldMakeTheTextInvalid() {
        gauge("palyra_x", "X.", 1, "k", "v");
        gauge("palyra_x", "X.", 2, "k", "v");
        text.add(Metric.counter("palyra_x", "X.", 3));
        gauge("palyra_x", "X.", 4, "not a label", "v");
        gauge("palyra_x", "X.", 5, "__reserved", "v");
        gauge("palyra_y", "Y.", 6, "a\"b", "v");
        assertEquals(5, text.dropped());
        assertEquals(
                "# HELP palyra_x X.\n# TYPE palyra_x gauge\npalyra_x{k=\"v\"} 1\n", text.text());
    }

    @Test
    void samplesOfAHistogramAreOneFamily() {
        PrometheusText text = new PrometheusText();
        text.add(waited("bucket", Map.of("le", "1"), 2));
        text.add(waited("bucket", Map.of("le", "+Inf"), 3));
        text.add(waited("sum", Map.of(), 7.5));
        text.add(waited("count", Map.of(), 3));
        assertEquals(
                """
                # HELP palyra_wait_seconds How long it took.
                # TYPE palyra_wait_seconds histogram
                palyra_wait_seconds_bucket{le="1"} 2
                palyra_wait_seconds_bucket{le="+Inf"} 3
                palyra_wait_seconds_sum 7.5
                palyra_wait_seconds_count 3
                """,
                text.text());
        assertEquals(0, text.dropped());
        assertThrows(PalyraException.class, () -> waited("total", Map.of(), 1));
    }

    private static Metric waited(String sample, Map<String, String> labels, double value) {
        return new Metric(
                "palyra_wait_seconds_" + sample,
                "How long it took.",
                Metric.Type.HISTOGRAM,
                labels,
                value);
    }
}
