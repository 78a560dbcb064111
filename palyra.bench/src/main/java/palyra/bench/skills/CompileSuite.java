package palyra.bench.skills;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * A call with the module kept, beside calls that read, compile and instantiate it each time: by
 * other engines, and by ours with nothing kept (admission included). One processor, and processor
 * time as in {@link CallSuite}.
 */
public final class CompileSuite implements Suite {
    private static final double GOAL_RATIO = 1.0 / 50;
    private static final long WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(3_000);

    /** Calls warm up as long as in {@link CallSuite}. */
    private static final int FIRST_WARMS = 10;

    private static final int OWN_WARMS = 3;

    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    private final List<Task> tasks;
    private final long warmNanos;
    private final long roundNanos;

    /** Measures what was promised. */
    public CompileSuite() {
        this(
                List.of(Workload.trivial(), Workload.wordcount(), Workload.slugify()),
                WARM_NANOS,
                ROUND_NANOS);
    }

    CompileSuite(List<Task> tasks, long warmNanos, long roundNanos) {
        this.tasks = List.copyOf(tasks);
        this.warmNanos = warmNanos;
        this.roundNanos = roundNanos;
    }

    @Override
    public String name() {
        return "skills.compile";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<String> kinds = List.of(Stage.ENDIVE, Stage.CHICORY, Stage.WASMTIME_DIRECT, Stage.V8);
        try (Stage stage = Stage.open(name(), report, true, kinds)) {
            stage.contestants().get(Stage.ENDIVE).prepare(tasks.get(0));
            stage.contestants().get(Stage.ENDIVE).calls(FIRST_WARMS * warmNanos);
            for (Task task : tasks) {
                measure(task, stage.contestants(), setting.runs(), report);
            }
        }
    }

    private void measure(Task task, Map<String, Contestant> contestants, int runs, Report report)
            throws IOException, InterruptedException {
        Contestant ours = contestants.get(Stage.ENDIVE);
        for (Contestant each : contestants.values()) {
            each.prepare(task);
            each.fresh(warmNanos);
        }
        ours.calls(OWN_WARMS * warmNanos);
        List<Round> kept = new ArrayList<>();
        Map<String, List<Round>> fresh = new LinkedHashMap<>();
        for (int run = 0; run < runs; run++) {
            kept.add(ours.calls(roundNanos));
            for (Map.Entry<String, Contestant> each : contestants.entrySet()) {
                fresh.computeIfAbsent(each.getKey(), kind -> new ArrayList<>())
                        .add(each.getValue().fresh(roundNanos));
            }
        }
        fresh.forEach(
                (kind, rounds) ->
                        report.add(figure(task, kind, contestants.get(kind), kept, rounds)));
    }

    private Figure figure(
            Task task, String kind, Contestant contestant, List<Round> kept, List<Round> fresh) {
        String peer =
                kind.equals(Stage.ENDIVE)
                        ? "the same with nothing kept"
                        : contestant.name() + " for each call";
        boolean promised = // others spend their time computing, and V8 compiles little at first
                task.name().equals(Workload.TRIVIAL) && !kind.equals(Stage.V8);
        return new Figure(
                name() + "-" + task.name() + "-" + kind,
                micros(kept),
                peer,
                micros(fresh),
                promised ? new Goal.RatioAtMost(GOAL_RATIO) : new Goal.None());
    }

    private static Measure micros(List<Round> rounds) {
        return new Measure(
                "µs", rounds.stream().map(round -> 1e6 / round.perCoreSecond()).toList());
    }
}
