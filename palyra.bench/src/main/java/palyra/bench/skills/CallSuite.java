package palyra.bench.skills;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * Calls of tools for a second of processor time, one after the other on one processor, with
 * everything compiled. The figure counts the processor time of all threads of the engine's
 * processes, so other work on the machine does not lower it. A call is a whole call of the skill
 * runtime, with fuel, clamps, deadline and a thread of the engine. Both engines must return the
 * same output.
 */
public final class CallSuite implements Suite {
    private static final double GOAL_PER_SECOND = 20_000;
    private static final long WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(10_000);

    /** The first module brings what all calls share into machine code. */
    private static final int FIRST_WARMS = 3;

    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<Task> tasks;
    private final long warmNanos;
    private final long roundNanos;

    /** Measures what was promised. */
    public CallSuite() {
        this(all(), WARM_NANOS, ROUND_NANOS);
    }

    CallSuite(List<Task> tasks, long warmNanos, long roundNanos) {
        this.tasks = List.copyOf(tasks);
        this.warmNanos = warmNanos;
        this.roundNanos = roundNanos;
    }

    private static List<Task> all() {
        List<Task> all = new ArrayList<>();
        all.add(Workload.trivial());
        all.add(Workload.wordcount());
        all.add(Workload.slugify());
        all.add(Workload.echo());
        all.addAll(Workload.computing());
        return all;
    }

    @Override
    public String name() {
        return "skills.call";
    }

    /** Calls modules for some time. */
    interface Engine {
        Round round(Task task, long nanos) throws IOException, InterruptedException;
    }

    /** An engine and its rounds. */
    private record Lane(String id, Engine engine, List<Round> rounds) {
        Measure perCoreSecond() {
            return measure(Round::perCoreSecond);
        }

        private Measure measure(ToDoubleFunction<Round> figure) {
            return new Measure("calls/s", rounds.stream().map(figure::applyAsDouble).toList());
        }

        String explained() {
            Latencies all = new Latencies();
            rounds.forEach(round -> all.addAll(round.latencies()));
            return String.format(
                    Locale.ROOT,
                    "a call p50 %s µs, p99 %s µs; by the clock %s",
                    Measure.number(all.micros(50)),
                    Measure.number(all.micros(99)),
                    measure(Round::perSecond).text());
        }
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<String> kinds = List.of(EngineProcesses.ENDIVE, EngineProcesses.WASMTIME);
        try (EngineProcesses processes = EngineProcesses.open(name(), report, kinds)) {
            for (EngineProcess each : processes.engines().values()) {
                each.round(tasks.get(0), FIRST_WARMS * warmNanos);
            }
            for (Task task : tasks) {
                measure(task, processes.engines(), setting.runs(), report);
            }
        }
    }

    /** Engines take turns, so that other work on the machine affects both. */
    void measure(Task task, Map<String, ? extends Engine> engines, int runs, Report report)
            throws IOException, InterruptedException {
        List<Lane> lanes = new ArrayList<>();
        engines.forEach((id, engine) -> lanes.add(new Lane(id, engine, new ArrayList<>())));
        CallResult first = null;
        for (Lane lane : lanes) {
            CallResult result = lane.engine().round(task, warmNanos).result();
            first = first == null ? result : first;
            if (!result.equals(first)) {
                throw new IllegalStateException(
                        lane.id() + " returns " + result + " to " + task.name() + ", not " + first);
            }
        }
        for (int run = 0; run < runs; run++) {
            for (Lane lane : lanes) {
                lane.rounds().add(lane.engine().round(task, roundNanos));
            }
        }
        String name = name() + "-" + task.name();
        lanes.forEach(lane -> report.fact(name + "." + lane.id(), lane.explained()));
        if (lanes.size() > 1) {
            report.add(
                    new Figure(
                            name,
                            lanes.get(0).perCoreSecond(),
                            lanes.get(1).id() + " in its worker",
                            lanes.get(1).perCoreSecond(),
                            task.name().equals(Workload.TRIVIAL)
                                    ? new Goal.AtLeast(GOAL_PER_SECOND)
                                    : new Goal.None()));
        }
    }
}
