package palyra.gateway.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.shared.gate.Gate;

class StuckTest {
    private static final List<Setback> SETBACKS =
            List.of(
                    new Setback(Setback.Kind.MESSAGE, "m1", 3, "no agent", 1, 5_000),
                    new Setback(Setback.Kind.RUN, "r1", 2, "no worker", 2, 6_000),
                    new Setback(Setback.Kind.MESSAGE, "m2", 2, "no agent", 3, 7_000));

    @Test
    void metricCountsEachKindAndThoseOfWhichThereIsNone() {
        List<Metric> metrics = Stuck.metrics(SETBACKS);
        assertEquals(
                List.of("duty=0.0", "message=2.0", "command=0.0", "run=1.0"),
                metrics.stream()
                        .map(each -> each.labels().get("kind") + "=" + each.value())
                        .toList());
        for (Metric metric : metrics) {
            assertEquals("palyra_gateway_set_aside", metric.name());
            assertEquals(Metric.Type.GAUGE, metric.type());
            assertEquals(Map.of("kind", metric.labels().get("kind")), metric.labels());
        }
    }

    @Test
    void doctorSaysOfEachWhatEverybodySays() {
        Gate<Journal> none = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        assertEquals(
                SETBACKS.stream().map(Setback::sentence).toList(),
                Stuck.findings(none, SETBACKS).stream().map(Finding::message).toList());
    }
}
