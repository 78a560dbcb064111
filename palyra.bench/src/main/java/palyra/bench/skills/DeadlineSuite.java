package palyra.bench.skills;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * How long after its deadline a call has returned to who made it, by a module that adds for ever
 * and by those that fill and copy 1 MiB and 64 MiB for ever. Counted from the call's start, so that
 * starting it counts too; the gateway's own clock begins with the first instruction.
 */
public final class DeadlineSuite implements Suite {
    private static final double GOAL_MILLIS = 20;
    private static final long DEADLINE_MILLIS = 100;
    private static final int COUNT = 100;
    private static final int WARM = 5;
    private static final String SPIN = "spin";

    private final long deadlineMillis;
    private final int count;

    /** Measures what was promised. */
    public DeadlineSuite() {
        this(DEADLINE_MILLIS, COUNT);
    }

    /** With so many calls in a round. */
    DeadlineSuite(long deadlineMillis, int count) {
        this.deadlineMillis = deadlineMillis;
        this.count = count;
    }

    @Override
    public String name() {
        return "skills.deadline";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<String> kinds = List.of(Stage.ENDIVE, Stage.WASMTIME, Stage.CHICORY, Stage.V8);
        try (Stage stage = Stage.open(name(), report, false, kinds)) {
            for (Task task :
                    List.of(
                            Workload.spin(deadlineMillis),
                            Workload.bulk(1, deadlineMillis),
                            Workload.bulk(64, deadlineMillis))) {
                Map<String, List<Round>> rounds = new LinkedHashMap<>();
                for (int run = -1; run < setting.runs(); run++) { // the one before 0 warms up
                    round(task, run, stage.contestants(), rounds);
                }
                report(task, stage.contestants(), rounds, report);
            }
        }
    }

    private void round(
            Task task,
            int run,
            Map<String, Contestant> contestants,
            Map<String, List<Round>> rounds)
            throws IOException, InterruptedException {
        for (Map.Entry<String, Contestant> each : contestants.entrySet()) {
            if (each.getKey().equals(Stage.V8) && !task.name().equals(SPIN)) {
                continue; // its worker was seen to go on with these for minutes
            }
            each.getValue().prepare(task);
            Round round =
                    each.getValue().late(run < 0 ? Math.min(WARM, count) : count, deadlineMillis);
            if (run >= 0) {
                rounds.computeIfAbsent(each.getKey(), kind -> new ArrayList<>()).add(round);
            }
        }
    }

    private void report(
            Task task,
            Map<String, Contestant> contestants,
            Map<String, List<Round>> rounds,
            Report report) {
        String interrupted = contestants.get(Stage.CHICORY).name() + ", its thread interrupted";
        String ended = rounds.containsKey(Stage.V8) ? Stage.V8 : Stage.CHICORY;
        String peer =
                ended.equals(Stage.V8)
                        ? contestants.get(Stage.V8).name() + ", its worker terminated"
                        : interrupted;
        for (int percent : new int[] {50, 99}) {
            report.add(figure(task, Stage.ENDIVE, percent, rounds, Stage.CHICORY, interrupted));
            if (contestants.containsKey(Stage.WASMTIME)) {
                report.add(figure(task, Stage.WASMTIME, percent, rounds, ended, peer));
            }
        }
    }

    private Figure figure(
            Task task,
            String ours,
            int percent,
            Map<String, List<Round>> rounds,
            String theirs,
            String peer) {
        return new Figure(
                name() + "-" + task.name() + "-" + ours + "-p" + percent,
                millis(rounds.get(ours), percent),
                peer,
                millis(rounds.get(theirs), percent),
                new Goal.AtMost(GOAL_MILLIS));
    }

    private static Measure millis(List<Round> rounds, int percent) {
        return new Measure(
                "ms", rounds.stream().map(each -> each.latencies().millis(percent)).toList());
    }
}
