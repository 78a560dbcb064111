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
 * everything compiled. What counts is the time of all threads of the engine's processes, so the
 * figure is what one core can do and other work on the machine does not shrink it. Ours are whole
 * calls of the skill runtime, with fuel, clamps, deadline and a thread of the engine; peers make an
 * instance and call it, with nothing that limits it. Peers also run the module as admission wrote
 * it anew. All must come to the same output.
 */
public final class CallSuite implements Suite {
    private static final double GOAL_PER_SECOND = 20_000;
    private static final String METERED = "-metered";
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

    /** An engine with a form of the module, and what it came to. */
    private record Lane(String id, Contestant contestant, Task task, List<Round> rounds) {
        Round round(long nanos) throws IOException, InterruptedException {
            contestant.prepare(task);
            return contestant.calls(nanos);
        }

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
        List<String> kinds =
                List.of(
                        Stage.ENDIVE,
                        Stage.CHICORY,
                        Stage.V8,
                        Stage.WASMTIME,
                        Stage.WASMTIME_DIRECT);
        try (Stage stage = Stage.open(name(), report, true, kinds)) {
            for (Contestant each : stage.contestants().values()) {
                each.prepare(tasks.get(0));
                each.calls(FIRST_WARMS * warmNanos);
            }
            for (Task task : tasks) {
                measure(task, stage.contestants(), setting.runs(), report);
            }
        }
    }

    /** Contestants take turns, so that what else goes on meets them all. */
    void measure(Task task, Map<String, Contestant> contestants, int runs, Report report)
            throws IOException, InterruptedException {
        List<Lane> lanes = lanes(task, contestants);
        Answer first = null;
        for (Lane lane : lanes) {
            Answer answer = lane.round(warmNanos).answer();
            first = first == null ? answer : first;
            if (!answer.equals(first)) {
                throw new IllegalStateException(
                        lane.id() + " answers " + answer + " to " + task.name() + ", not " + first);
            }
        }
        for (int run = 0; run < runs; run++) {
            for (Lane lane : lanes) {
                lane.rounds().add(lane.round(roundNanos));
            }
        }
        report(task, lanes, report);
    }

    private static List<Lane> lanes(Task task, Map<String, Contestant> contestants) {
        Task metered = Workload.metered(task);
        List<Lane> lanes = new ArrayList<>();
        contestants.forEach(
                (kind, contestant) -> {
                    lanes.add(new Lane(kind, contestant, task, new ArrayList<>()));
                    if (kind.equals(Stage.CHICORY) || kind.equals(Stage.V8)) {
                        lanes.add(new Lane(kind + METERED, contestant, metered, new ArrayList<>()));
                    }
                });
        return lanes;
    }

    private void report(Task task, List<Lane> lanes, Report report) {
        String name = name() + "-" + task.name();
        Lane ours = lanes.get(0);
        Lane worker = ours;
        for (Lane lane : lanes) {
            report.fact(name + "." + lane.id(), lane.explained());
            if (lane.id().equals(Stage.WASMTIME)) {
                worker = lane;
                report.add(figure(name + "-wasmtime", lane, "endive of the same run", ours));
            } else if (!lane.id().equals(ours.id())) {
                boolean direct = lane.id().equals(Stage.WASMTIME_DIRECT);
                report.add(figure(named(name, lane), direct ? worker : ours, peer(lane), lane));
            }
        }
    }

    private static String named(String name, Lane peer) {
        return peer.id().equals(Stage.CHICORY) ? name : name + "-" + peer.id();
    }

    private static String peer(Lane lane) {
        return lane.contestant().name()
                + (lane.task().metered() ? ", the metered module" : ", without fuel");
    }

    private Figure figure(String name, Lane ours, String peer, Lane theirs) {
        boolean promised = name.equals(name() + "-" + Workload.TRIVIAL);
        return new Figure(
                name,
                ours.perCoreSecond(),
                peer,
                theirs.perCoreSecond(),
                promised ? new Goal.AtLeast(GOAL_PER_SECOND) : new Goal.None());
    }
}
