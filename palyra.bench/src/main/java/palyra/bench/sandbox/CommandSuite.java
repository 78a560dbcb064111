package palyra.bench.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * What an agent's commands cost in Tier C, through the shell tool, from the proposed input to the
 * result: a trivial line in the sandbox of a session, beside the same in a sandbox of its own and
 * the command line of that one started from C; what an egress proxy adds; and a build beside the
 * same outside.
 */
public final class CommandSuite implements Suite {
    private static final double GOAL_CALL_MILLIS = 30;
    private static final double GOAL_PROXY_MILLIS = 10;
    private static final double GOAL_BUILD = 1.3;
    private static final String SINGLE = "the same in a sandbox of its own";
    private static final String BWRAP = "the single call's bwrap argv from C";

    private final int count;
    private final int files;

    /** Measures what was promised. */
    public CommandSuite() {
        this(40, 200);
    }

    /** With {@code count} calls in a round and as many files in the project. */
    CommandSuite(int count, int files) {
        this.count = count;
        this.files = files;
    }

    @Override
    public String name() {
        return "sandbox.command";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Optional<String> obstacle = MeasuringProcess.obstacle();
        if (obstacle.isPresent()) {
            report.fact(name(), "left out: " + obstacle.get());
            System.err.println("bench: " + name() + " is left out: " + obstacle.get());
            return;
        }
        int builds = setting.full() ? setting.runs() : Math.min(setting.runs(), 3);
        Measured measured =
                Measured.parse(
                        MeasuringProcess.run(
                                CommandWork.class, setting.runs(), count, builds, files));
        measured.explain(name(), report);
        Goal call = new Goal.AtMost(GOAL_CALL_MILLIS);
        compare(measured, "session-p50", 50, "session", "single", SINGLE, call, report);
        compare(measured, "session-p90", 90, "session", "single", SINGLE, new Goal.None(), report);
        for (String ours : List.of("session", "single")) {
            compare(
                    measured,
                    ours + "-bwrap-p50",
                    50,
                    ours,
                    "c-bwrap",
                    BWRAP,
                    new Goal.None(),
                    report);
            added(measured, ours, report);
        }
        for (String ours : List.of("session", "single")) {
            compare(
                    measured,
                    "build-" + ours,
                    50,
                    "build-" + ours,
                    "build-outside",
                    "the same build outside",
                    new Goal.RatioAtMost(GOAL_BUILD),
                    report);
        }
    }

    private void compare(
            Measured measured,
            String figure,
            double percent,
            String ours,
            String theirs,
            String peer,
            Goal goal,
            Report report) {
        measured.compare(name() + "-" + figure, percent, ours, theirs, peer, goal, report);
    }

    /** What the proxy adds to a call, round by round. */
    private void added(Measured measured, String series, Report report) {
        List<Latencies> with = measured.rounds().get(series + "-proxy");
        List<Latencies> without = measured.rounds().get(series);
        List<Double> added = new ArrayList<>();
        List<Double> plain = new ArrayList<>();
        for (int round = 0; round < with.size(); round++) {
            plain.add(without.get(round).millis(50));
            added.add(with.get(round).millis(50) - plain.get(round));
        }
        report.add(
                new Figure(
                        name() + "-" + series + "-proxy-added-p50",
                        new Measure("ms", added),
                        "the call without a proxy",
                        new Measure("ms", plain),
                        new Goal.AtMost(GOAL_PROXY_MILLIS)));
    }
}
