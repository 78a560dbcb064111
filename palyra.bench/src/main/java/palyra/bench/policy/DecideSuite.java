package palyra.bench.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * One decision with policies, entities and request already there: ours beside the published Cedar
 * engines. All of them must come to the same decisions, or there is nothing to compare.
 */
public final class DecideSuite implements Suite {
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
        Optional<CedarWasm> wasm = CedarWasm.open(setting.work().resolve("npm"));
        if (wasm.isEmpty()) {
            String absent = "left out: node, npm or the package cannot be had here";
            report.fact("policy.decide.cedar-wasm", absent);
            System.err.println("bench: policy.decide: cedar-wasm is " + absent);
        }
        try (CompiledEngine ours = new CompiledEngine(Natives.cedar());
                CedarJava cedarJava = CedarJava.open()) {
            List<Contestant> all = new ArrayList<>(List.of(ours, cedarJava));
            wasm.ifPresent(all::add);
            for (int count : policies) {
                for (int size : entities) {
                    measure(Scenario.of(count, size), all, setting.runs(), report);
                }
            }
        } finally {
            wasm.ifPresent(CedarWasm::close);
        }
    }

    /** Contestants take turns, so that what else goes on meets them all. */
    void measure(Scenario scenario, List<Contestant> contestants, int runs, Report report)
            throws Exception {
        List<List<Latencies>> latencies = new ArrayList<>();
        Round first = null;
        for (Contestant contestant : contestants) {
            contestant.prepare(scenario);
            Round warm = contestant.round(warmNanos);
            first = first == null ? warm : first;
            agree(scenario, contestant, first, warm);
            latencies.add(new ArrayList<>());
        }
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < contestants.size(); i++) {
                Round round = contestants.get(i).round(roundNanos);
                agree(scenario, contestants.get(i), first, round);
                latencies.get(i).add(round.latencies());
            }
        }
        String name = "policy.decide-" + scenario.policies() + "x" + scenario.entities();
        report.fact(
                name,
                first.allowed().cardinality()
                        + " of "
                        + scenario.asks().size()
                        + " requests are allowed, by all of "
                        + contestants.size()
                        + " engines");
        for (int i = 1; i < contestants.size(); i++) {
            String peer = contestants.get(i).name();
            String suffix = i == 1 ? "" : "-wasm";
            Goal goal = i == 1 ? goal(scenario) : new Goal.None();
            report.add(figure(name + suffix + "-p50", 50, latencies, i, peer, goal));
            report.add(figure(name + suffix + "-p99", 99, latencies, i, peer, new Goal.None()));
        }
    }

    private static Goal goal(Scenario scenario) {
        return scenario.policies() == GOAL_POLICIES
                ? new Goal.Both(GOAL_MICROS, GOAL_RATIO)
                : new Goal.None();
    }

    private static void agree(Scenario scenario, Contestant contestant, Round one, Round other) {
        if (!one.allowed().equals(other.allowed())) {
            throw new IllegalStateException(
                    contestant.name()
                            + " allows requests "
                            + other.allowed()
                            + " of "
                            + scenario.policies()
                            + " policies, not "
                            + one.allowed());
        }
    }

    private static Figure figure(
            String name,
            int percent,
            List<List<Latencies>> latencies,
            int peer,
            String peerName,
            Goal goal) {
        return new Figure(
                name,
                micros(latencies.get(0), percent),
                peerName,
                micros(latencies.get(peer), percent),
                goal);
    }

    private static Measure micros(List<Latencies> runs, int percent) {
        return new Measure("µs", runs.stream().map(run -> run.micros(percent)).toList());
    }
}
