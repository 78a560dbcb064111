package palyra.bench.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.core.access.PolicyAnswer;
import palyra.api.core.access.PolicyAnswer.Outcome;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * Every core decides without a pause while the set is replaced again and again; beside it the same
 * without. Each answer must be the one of the set that it names, and nobody may go back to an
 * earlier set.
 */
public final class StormSuite implements Suite {
    private static final int POLICIES = 100;
    private static final int RELOADS = 100;
    private static final int FULL_RELOADS = 1_000;
    private static final String PEER = "the same without reloads";
    private static final double[] PERCENTILES = {50, 99, 99.9};

    private final int policies;
    private final int reloads;

    /** Measures what was promised. */
    public StormSuite() {
        this(POLICIES, RELOADS);
    }

    StormSuite(int policies, int reloads) {
        this.policies = policies;
        this.reloads = reloads;
    }

    @Override
    public String name() {
        return "policy.storm";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("policy-storm");
        List<Path> sets =
                List.of(
                        SetText.write(folder.resolve("permitted"), policies, true),
                        SetText.write(folder.resolve("denied"), policies, false));
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        try (PolicyHouse house = new PolicyHouse(folder)) {
            String permitted = house.apply(sets.get(0)).sha256();
            int count = setting.full() ? Math.max(FULL_RELOADS, reloads) : reloads;
            long nanos = storm(house, sets, permitted, count, new Latencies());
            for (int run = 0; run < setting.runs(); run++) {
                Latencies quiet = new Latencies();
                decide(house, permitted, quiet, () -> sleep(nanos));
                theirs.add(quiet);
                Latencies stormy = new Latencies();
                storm(house, sets, permitted, count, stormy);
                ours.add(stormy);
            }
            report.fact(
                    "policy.storm",
                    count
                            + " reloads a run, the last run with "
                            + ours.getLast().size()
                            + " decisions, without "
                            + theirs.getLast().size());
        }
        for (double percent : PERCENTILES) {
            report.add(figure(percent, ours, theirs));
        }
        Setting.delete(folder);
    }

    /** Returns how long the reloads took. */
    private static long storm(
            PolicyHouse house, List<Path> sets, String permitted, int count, Latencies latencies)
            throws Exception {
        long begin = System.nanoTime();
        decide(
                house,
                permitted,
                latencies,
                () -> {
                    for (int i = 1; i <= count; i++) {
                        house.apply(sets.get(i % 2));
                    }
                    return null;
                });
        long nanos = System.nanoTime() - begin;
        if (!house.inForce().view().sha256().equals(permitted)) {
            house.apply(sets.get(0)); // so that the next begins with the other one
        }
        return nanos;
    }

    private static Void sleep(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
        return null;
    }

    /** Every core decides as long as {@code meanwhile} lasts. */
    private static void decide(
            PolicyHouse house, String permitted, Latencies latencies, Callable<Void> meanwhile)
            throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(cores)) {
            List<Future<Latencies>> all = new ArrayList<>();
            for (int i = 0; i < cores; i++) {
                all.add(threads.submit(() -> decide(house, permitted, over)));
            }
            try {
                meanwhile.call();
            } finally {
                over.set(true);
            }
            for (Future<Latencies> each : all) {
                latencies.addAll(each.get());
            }
        }
    }

    private static Latencies decide(PolicyHouse house, String permitted, AtomicBoolean over) {
        Latencies latencies = new Latencies();
        long epoch = 0;
        for (int i = 0; !over.get() || i == 0; i++) {
            long start = System.nanoTime();
            PolicyAnswer answer = house.engine().decideTool(Questions.marker(i % Questions.KINDS));
            latencies.add(System.nanoTime() - start);
            boolean allowed = answer.outcome() == Outcome.ALLOW;
            if (allowed != answer.setSha256().equals(permitted) || answer.epoch() < epoch) {
                throw new IllegalStateException("an answer of no set, or of an old one: " + answer);
            }
            epoch = answer.epoch();
        }
        return latencies;
    }

    private static Figure figure(double percent, List<Latencies> ours, List<Latencies> theirs) {
        String name = percent == Math.rint(percent) ? String.valueOf((int) percent) : percent + "";
        return new Figure(
                "policy.storm-p" + name,
                new Measure("µs", ours.stream().map(run -> run.micros(percent)).toList()),
                PEER,
                new Measure("µs", theirs.stream().map(run -> run.micros(percent)).toList()),
                new Goal.None());
    }
}
