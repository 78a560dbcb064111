package palyra.bench.sandbox;

import java.util.List;
import java.util.Optional;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Goal;
import palyra.bench.report.Report;

/**
 * How long it takes to end a tree of 31 processes that ignore SIGTERM, until the last is confirmed
 * gone. Ours have 20 among them that left for sessions of their own; the peer's are all in the one
 * process group that is killed.
 */
public final class KillSuite implements Suite {
    private static final int COUNT = 10;
    private static final int FULL_COUNT = 100;
    private static final String PEER = "SIGKILL of a process group of 31 in C";

    private final int count;

    /** Measures what the issue asks for. */
    public KillSuite() {
        this(0);
    }

    /** With so many trees in a round; 0 for as many as it takes. */
    KillSuite(int count) {
        this.count = count;
    }

    @Override
    public String name() {
        return "sandbox.kill";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        int trees = count > 0 ? count : setting.full() ? FULL_COUNT : COUNT;
        Optional<Measured> found =
                SandboxSuites.measure(
                        name(),
                        report,
                        () ->
                                MeasuringProcess.run(
                                        "kill", Optional.empty(), setting.runs(), trees));
        for (String tier : List.of("tierb", "tierc")) {
            found.ifPresent(measured -> figures(measured, tier, report));
        }
    }

    private void figures(Measured measured, String tier, Report report) {
        String name = name() + "-" + tier;
        measured.compare(name + "-p50", 50, tier, "c", PEER, new Goal.None(), report);
        measured.compare(name + "-p90", 90, tier, "c", PEER, new Goal.None(), report);
    }
}
