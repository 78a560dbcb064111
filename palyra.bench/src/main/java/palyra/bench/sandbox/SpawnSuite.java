package palyra.bench.sandbox;

import java.util.List;
import java.util.Optional;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Goal;
import palyra.bench.report.Report;

/**
 * How long {@code /bin/true} takes in each tier, from the request until it has ended: beside a
 * plain process of Java, {@code posix_spawn} in C, and the same command line of bubblewrap started
 * from C. The {@code start} figures end when the request returns, the {@code whole} ones when
 * everything was given back.
 */
public final class SpawnSuite implements Suite {
    private static final double GOAL_TIER_B = 1.5;
    private static final double GOAL_TIER_C = 1.2;
    private static final int COUNT = 60;
    private static final int FULL_COUNT = 300;
    private static final String BUILDER = "ProcessBuilder";
    private static final String C = "posix_spawn in C";
    private static final String BWRAP = "the same bwrap argv from C";

    private final int count;

    /** Measures what was promised. */
    public SpawnSuite() {
        this(0);
    }

    /** With {@code count} starts in a round, 0 for the standard number. */
    SpawnSuite(int count) {
        this.count = count;
    }

    @Override
    public String name() {
        return "sandbox.spawn";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Optional<String> obstacle = MeasuringProcess.obstacle();
        if (obstacle.isPresent()) {
            report.fact(name(), "left out: " + obstacle.get());
            System.err.println("bench: " + name() + " is left out: " + obstacle.get());
            return;
        }
        int starts = count > 0 ? count : setting.full() ? FULL_COUNT : COUNT;
        Measured measured =
                Measured.parse(MeasuringProcess.run(SpawnWork.class, setting.runs(), starts));
        measured.explain(name(), report);
        figures(measured, report);
    }

    private void figures(Measured measured, Report report) {
        tier(measured, "tierb", "builder", BUILDER, new Goal.RatioAtMost(GOAL_TIER_B), report);
        tier(measured, "tierc", "c-bwrap", BWRAP, new Goal.RatioAtMost(GOAL_TIER_C), report);
        for (String tier : List.of("tierb", "tierc")) {
            String name = name() + "-" + tier + "-start-p50";
            measured.compare(
                    name,
                    50,
                    tier + "-start",
                    "builder-start",
                    BUILDER + ".start()",
                    new Goal.None(),
                    report);
        }
        peer(measured, "tierb", "c", C, report);
        peer(measured, "tierc", "c", C, report);
        peer(measured, "tierc", "builder", BUILDER, report);
    }

    private void tier(
            Measured measured, String tier, String series, String peer, Goal goal, Report report) {
        String name = name() + "-" + tier;
        measured.compare(name + "-p50", 50, tier, series, peer, goal, report);
        measured.compare(name + "-p90", 90, tier, series, peer, new Goal.None(), report);
        measured.compare(
                name + "-whole-p50", 50, tier + "-whole", series, peer, new Goal.None(), report);
    }

    private void peer(Measured measured, String tier, String series, String peer, Report report) {
        String name = name() + "-" + tier + "-" + series;
        measured.compare(name + "-p50", 50, tier, series, peer, new Goal.None(), report);
        measured.compare(name + "-p90", 90, tier, series, peer, new Goal.None(), report);
    }
}
