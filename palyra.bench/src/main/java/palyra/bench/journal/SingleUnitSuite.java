package palyra.bench.journal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/** The cost of a single unit with a sync of its own, by JMH; ours and the peer's take turns. */
public final class SingleUnitSuite implements Suite {
    private static final double GOAL_RATIO = 1.3;

    @Override
    public String name() {
        return "journal.single";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<List<Double>> ours = List.of(new ArrayList<>(), new ArrayList<>());
        List<List<Double>> theirs = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < setting.runs(); i++) {
            for (RunResult result : new Runner(options(setting, report, i)).run()) {
                boolean own = result.getParams().getBenchmark().endsWith(".ours");
                keep(result, own ? ours : theirs);
            }
        }
        report.add(figure("p50", ours.get(0), theirs.get(0), new Goal.RatioAtMost(GOAL_RATIO)));
        report.add(figure("p99", ours.get(1), theirs.get(1), new Goal.None()));
    }

    private static void keep(RunResult result, List<? extends Collection<Double>> percentiles) {
        var statistics = result.getPrimaryResult().getStatistics();
        percentiles.get(0).add(statistics.getPercentile(50));
        percentiles.get(1).add(statistics.getPercentile(99));
    }

    private static Figure figure(String which, List<Double> ours, List<Double> theirs, Goal goal) {
        return new Figure(
                "journal.single-" + which,
                new Measure("µs", ours),
                "one raw SQLite transaction",
                new Measure("µs", theirs),
                goal);
    }

    private static Options options(Setting setting, Report report, int round) throws Exception {
        return new OptionsBuilder()
                .include("^" + SingleUnit.class.getName().replace(".", "\\.") + "\\.")
                .jvmArgsAppend(
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-D" + SingleUnit.WORK + "=" + setting.work())
                .shouldFailOnError(true)
                .resultFormat(ResultFormatType.JSON)
                .result(report.beside("jmh-single-" + (round + 1) + ".json").toString())
                .output(report.beside("jmh-single-" + (round + 1) + ".log").toString())
                .build();
    }
}
