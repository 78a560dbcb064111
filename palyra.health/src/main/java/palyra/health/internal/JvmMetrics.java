package palyra.health.internal;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/** Memory, threads, garbage collection and identity of this process. Thread-safe. */
@Component
public final class JvmMetrics implements MetricSource {
    private static final double MILLIS = 1_000;

    private final String version;
    private final ProcessStatus process;

    /** Called by the component runtime. */
    @Activate
    public JvmMetrics(BundleContext context) {
        this(context.getBundle().getVersion().toString(), Path.of("/proc/self"));
    }

    JvmMetrics(String version, Path process) {
        this.version = version;
        this.process = new ProcessStatus(process);
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        identity(metrics);
        memory(metrics);
        threads(metrics);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(bean -> collection(bean, metrics));
        return metrics;
    }

    private void identity(List<Metric> metrics) {
        metrics.add(
                new Metric(
                        "palyra_build_info",
                        "Version of Palyra and of the Java that runs it; always 1.",
                        Metric.Type.GAUGE,
                        Map.of("version", version, "java", Runtime.version().toString()),
                        1));
        metrics.add(
                Metric.gauge(
                        "palyra_process_start_time_seconds",
                        "Start of the process, in seconds since 1970.",
                        ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS));
        process.openFiles()
                .ifPresent(
                        count ->
                                metrics.add(
                                        Metric.gauge(
                                                "palyra_process_open_fds",
                                                "Open files, sockets and the like.",
                                                (double) count)));
    }

    private void memory(List<Metric> metrics) {
        process.residentBytes()
                .ifPresent(
                        bytes ->
                                metrics.add(
                                        Metric.gauge(
                                                "palyra_process_resident_memory_bytes",
                                                "Memory in use by the process.",
                                                (double) bytes)));
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        gauge(metrics, "palyra_jvm_heap_used_bytes", "Heap in use.", heap.getUsed());
        gauge(metrics, "palyra_jvm_heap_committed_bytes", "Heap reserved.", heap.getCommitted());
        gauge(metrics, "palyra_jvm_heap_max_bytes", "Largest heap; -1 if open.", heap.getMax());
        gauge(metrics, "palyra_jvm_nonheap_used_bytes", "Memory beside the heap.", other.getUsed());
    }

    private static void threads(List<Metric> metrics) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        gauge(metrics, "palyra_jvm_threads", "Platform threads.", threads.getThreadCount());
        gauge(
                metrics,
                "palyra_jvm_threads_peak",
                "Most platform threads at once so far.",
                threads.getPeakThreadCount());
    }

    private static void collection(GarbageCollectorMXBean bean, List<Metric> metrics) {
        Map<String, String> labels = Map.of("collector", bean.getName());
        metrics.add(
                new Metric(
                        "palyra_jvm_gc_collections_total",
                        "Garbage collections.",
                        Metric.Type.COUNTER,
                        labels,
                        (double) Math.max(0, bean.getCollectionCount())));
        metrics.add(
                new Metric(
                        "palyra_jvm_gc_seconds_total",
                        "Time spent in garbage collection.",
                        Metric.Type.COUNTER,
                        labels,
                        Math.max(0, bean.getCollectionTime()) / MILLIS));
    }

    private static void gauge(List<Metric> metrics, String name, String help, long value) {
        metrics.add(Metric.gauge(name, help, (double) value));
    }
}
