package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

class MetricsTest {
    @TempDir Path temp;
    private final LoopCollector loops = new LoopCollector();
    private final MetricCollector collector = new MetricCollector(loops);

    private static Optional<Double> value(List<Metric> metrics, String name) {
        return metrics.stream().filter(m -> m.name().equals(name)).map(Metric::value).findFirst();
    }

    @Test
    void asksEverybodyAndLeavesOutWhoFails() {
        MetricSource good = () -> List.of(Metric.gauge("palyra_good", "Good.", 1));
        MetricSource bad =
                () -> {
                    throw new IllegalStateException("defect");
                };
        collector.bindMetricSource(good, Map.of());
        collector.bindMetricSource(bad, Map.of());
        String text = collector.text();
        assertTrue(text.contains("\npalyra_good 1\n"), text);
        assertTrue(text.contains("\npalyra_metric_sources 2\n"), text);
        assertTrue(text.contains("\npalyra_metric_source_failures_total 1\n"), text);
        collector.unbindMetricSource(good);
        assertFalse(collector.text().contains("palyra_good"));
    }

    @Test
    void tellsOfTheLoopsOfEveryBundle() {
        loops.bindLoopSource(() -> List.of(loop("palyra-a")), Map.of());
        loops.bindLoopSource(() -> List.of(loop("palyra-b")), Map.of());
        String text = collector.text();
        for (String name : List.of("a", "b")) {
            String labels = "{loop=\"palyra-" + name + "\"} ";
            assertTrue(text.contains("\npalyra_loop_up" + labels + "1\n"), text);
            assertTrue(text.contains("\npalyra_loop_restarts_total" + labels + "0\n"), text);
            assertTrue(text.contains("\npalyra_loop_last_beat_seconds" + labels + "1.5\n"), text);
        }
    }

    private static LoopView loop(String name) {
        return new LoopView(
                name,
                "test",
                true,
                LoopView.State.RUNNING,
                Instant.EPOCH,
                0,
                "",
                Instant.EPOCH,
                1_500);
    }

    @Test
    void doctorNamesWhatIsLeftOut() {
        MetricSource one = () -> List.of(Metric.gauge("palyra_same", "Same.", 1));
        MetricSource other = () -> List.of(Metric.gauge("palyra_same", "Same.", 2));
        collector.bindMetricSource(one, Map.of());
        assertEquals(List.of(), collector.findings());
        collector.bindMetricSource(other, Map.of());
        assertEquals(1, collector.findings().size());
        Finding finding = collector.findings().get(0);
        assertEquals(Finding.Severity.WARNING, finding.severity());
        assertTrue(finding.message().contains("palyra_same"), finding.message());
        assertTrue(collector.text().contains("\npalyra_metrics_dropped 1\n"));
    }

    @Test
    @Timeout(30)
    void aSourceLeavesOnlyWhenItIsNotBeingAsked() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicBoolean gone = new AtomicBoolean();
        AtomicBoolean goneWhileAsked = new AtomicBoolean();
        MetricSource slow =
                () -> {
                    asked.countDown();
                    try {
                        answer.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    goneWhileAsked.set(gone.get());
                    return List.of();
                };
        collector.bindMetricSource(slow, Map.of());
        Thread asking = new Thread(collector::text, "asking");
        asking.start();
        assertTrue(asked.await(20, TimeUnit.SECONDS));
        Thread leaving =
                new Thread(
                        () -> {
                            collector.unbindMetricSource(slow);
                            gone.set(true);
                        },
                        "leaving");
        leaving.start();
        while (leaving.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        answer.countDown();
        leaving.join(20_000);
        asking.join(20_000);
        assertTrue(gone.get());
        assertFalse(goneWhileAsked.get());
    }

    @Test
    void tellsAboutThisProcess() {
        List<Metric> metrics = new JvmMetrics("1.2.3", Path.of("/proc/self")).metrics();
        assertTrue(value(metrics, "palyra_jvm_heap_used_bytes").orElseThrow() > 0);
        assertTrue(value(metrics, "palyra_jvm_threads").orElseThrow() > 1);
        assertTrue(value(metrics, "palyra_process_start_time_seconds").orElseThrow() > 1e9);
        assertTrue(metrics.stream().anyMatch(m -> m.name().equals("palyra_jvm_gc_seconds_total")));
        assertEquals(
                "1.2.3",
                metrics.stream()
                        .filter(m -> m.name().equals("palyra_build_info"))
                        .findFirst()
                        .orElseThrow()
                        .labels()
                        .get("version"));
    }

    @Test
    void readsMemoryAndOpenFilesFromTheProcessFolder() throws IOException {
        Files.writeString(temp.resolve("status"), "Name:\tjava\nVmRSS:\t  2048 kB\nThreads:\t9\n");
        Files.createDirectory(temp.resolve("fd"));
        Files.createFile(temp.resolve("fd/0"));
        Files.createFile(temp.resolve("fd/1"));
        List<Metric> metrics = new JvmMetrics("1", temp).metrics();
        assertEquals(
                Optional.of(2_097_152.0), value(metrics, "palyra_process_resident_memory_bytes"));
        assertEquals(Optional.of(2.0), value(metrics, "palyra_process_open_fds"));
    }

    @Test
    void saysNothingAboutWhatTheSystemDoesNotTell() {
        List<Metric> metrics = new JvmMetrics("1", temp.resolve("none")).metrics();
        assertTrue(value(metrics, "palyra_process_resident_memory_bytes").isEmpty());
        assertTrue(value(metrics, "palyra_process_open_fds").isEmpty());
    }
}
