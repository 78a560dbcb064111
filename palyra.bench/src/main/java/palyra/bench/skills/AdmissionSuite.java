package palyra.bench.skills;

import com.dylibso.chicory.wasm.Parser;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.testing.wasm.CorpusModule;
import palyra.testing.wasm.CorpusModules;

/**
 * How many bytes of modules are admitted for a second of the thread's processor time: decoded,
 * validated, judged, clamped and written anew with metering. Beside it the same without the
 * writing, and the parser of a peer, which decodes and validates.
 */
public final class AdmissionSuite implements Suite {
    private static final AdmissionRules RULES = AdmissionRules.closed(AdmissionLimits.DEFAULTS);
    private static final long WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(2_000);
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    private final long warmNanos;
    private final long roundNanos;

    /** Measures. */
    public AdmissionSuite() {
        this(WARM_NANOS, ROUND_NANOS);
    }

    AdmissionSuite(long warmNanos, long roundNanos) {
        this.warmNanos = warmNanos;
        this.roundNanos = roundNanos;
    }

    @Override
    public String name() {
        return "skills.admission";
    }

    @Override
    public void run(Setting setting, Report report) {
        measure("generated", CorpusModules.generated(), setting.runs(), report);
        measure("real", CorpusModules.real(), setting.runs(), report);
    }

    private void measure(String corpus, List<CorpusModule> modules, int runs, Report report) {
        List<byte[]> all = modules.stream().map(CorpusModule::bytes).toList();
        report.fact(
                name() + "-" + corpus,
                all.size() + " modules of " + all.stream().mapToInt(m -> m.length).sum() + " B");
        List<Double> admitted = new ArrayList<>();
        List<Double> validated = new ArrayList<>();
        List<Double> parsed = new ArrayList<>();
        for (int run = -1; run < runs; run++) { // the one before 0 warms up
            keep(run, admitted, megabytes(all, AdmissionSuite::admit, nanos(run)));
            keep(run, validated, megabytes(all, AdmissionSuite::validate, nanos(run)));
            keep(run, parsed, megabytes(all, Parser::parse, nanos(run)));
        }
        report.add(
                figure(
                        corpus,
                        admitted,
                        "Chicory " + Stage.CHICORY_VERSION + " Parser, which writes nothing",
                        parsed));
        report.add(figure(corpus + "-unmetered", admitted, "the same without metering", validated));
    }

    private long nanos(int run) {
        return run < 0 ? warmNanos : roundNanos;
    }

    private static void keep(int run, List<Double> all, double one) {
        if (run >= 0) {
            all.add(one);
        }
    }

    private static void admit(byte[] module) {
        if (!Admission.admit(module, RULES).ok()) {
            throw new IllegalStateException("a module of the corpus is refused");
        }
    }

    private static void validate(byte[] module) {
        if (!Admission.validate(module, AdmissionLimits.DEFAULTS).isEmpty()) {
            throw new IllegalStateException("a module of the corpus is not valid");
        }
    }

    /** Returns millions of bytes for a second of processor time; all modules, at least once. */
    private static double megabytes(List<byte[]> modules, Consumer<byte[]> step, long nanos) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long bytes = 0;
        long begun = System.nanoTime();
        long cpu = threads.getCurrentThreadCpuTime();
        do {
            for (byte[] module : modules) {
                step.accept(module);
                bytes += module.length;
            }
        } while (System.nanoTime() - begun < nanos);
        return bytes * 1e3 / Math.max(1, threads.getCurrentThreadCpuTime() - cpu);
    }

    private Figure figure(String corpus, List<Double> ours, String peer, List<Double> theirs) {
        return new Figure(
                name() + "-" + corpus,
                new Measure("MB/s", ours),
                peer,
                new Measure("MB/s", theirs),
                new Goal.None());
    }
}
