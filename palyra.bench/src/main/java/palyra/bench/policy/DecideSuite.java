package palyra.bench.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * One decision with policies, entities and request prepared: the compiled engine beside the native
 * engine with a prepared policy set. Both must decide every request alike.
 */
public final class DecideSuite implements Suite {
    private static final String PEER = "the native engine, prepared";
    private static final double GOAL_MICROS = 2;
    private static final double GOAL_RATIO = 0.01;
    private static final int GOAL_POLICIES = 100;
    private static final long WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(2_000);
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<Integer> policies;
    private final List<Integer> entities;
    private final long warmNanos;
    private final long roundNanos;

    /** Measures what was promised. */
    public DecideSuite() {
        this(List.of(10, 100, 1_000), List.of(5, 50), WARM_NANOS, ROUND_NANOS);
    }

    DecideSuite(List<Integer> policies, List<Integer> entities, long warmNanos, long roundNanos) {
        this.policies = List.copyOf(policies);
        this.entities = List.copyOf(entities);
        this.warmNanos = warmNanos;
        this.roundNanos = roundNanos;
    }

    @Override
    public String name() {
        return "policy.decide";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        try (NativeEngine peer = new NativeEngine()) {
            CompiledEngine ours = new CompiledEngine();
            for (int count : policies) {
                for (int size : entities) {
                    measure(Scenario.of(count, size), ours, peer, setting.runs(), report);
                }
            }
        }
    }

    /** Engines take turns, so that other work on the machine affects both. */
    void measure(Scenario scenario, BenchEngine ours, BenchEngine peer, int runs, Report report) {
        ours.prepare(scenario);
        peer.prepare(scenario);
        Round first = ours.round(warmNanos);
        agree(scenario, peer, first, peer.round(warmNanos));
        List<Latencies> own = new ArrayList<>();
        List<Latencies> other = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            own.add(agree(scenario, ours, first, ours.round(roundNanos)));
            other.add(agree(scenario, peer, first, peer.round(roundNanos)));
        }
        String name = "policy.decide-" + scenario.policies() + "x" + scenario.entities();
        report.fact(
                name,
                first.allowed().cardinality()
                        + " of "
                        + scenario.asks().size()
                        + " requests are allowed, by both engines");
        report.add(figure(name + "-p50", 50, own, other, goal(scenario)));
        report.add(figure(name + "-p99", 99, own, other, new Goal.None()));
    }

    private static Goal goal(Scenario scenario) {
        return scenario.policies() == GOAL_POLICIES
                ? new Goal.Both(GOAL_MICROS, GOAL_RATIO)
                : new Goal.None();
    }

    private static Latencies agree(
            Scenario scenario, BenchEngine engine, Round first, Round round) {
        if (!round.allowed().equals(first.allowed())) {
            throw new IllegalStateException(
                    engine.name()
                            + " allows requests "
                            + round.allowed()
                            + " of "
                            + scenario.policies()
                            + " policies, not "
                            + first.allowed());
        }
        return round.latencies();
    }

    private static Figure figure(
            String name, int percent, List<Latencies> ours, List<Latencies> peer, Goal goal) {
        return new Figure(name, micros(ours, percent), PEER, micros(peer, percent), goal);
    }

    private static Measure micros(List<Latencies> runs, int percent) {
        return new Measure("µs", runs.stream().map(run -> run.micros(percent)).toList());
    }
}
