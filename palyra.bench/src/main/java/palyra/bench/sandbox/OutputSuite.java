package palyra.bench.sandbox;

import java.util.List;
import java.util.Optional;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Report;

/**
 * How fast 200 MB of a command's standard output come through, its start included: beside a plain
 * pipe of Java.
 */
public final class OutputSuite implements Suite {
    /** Bytes of a megabyte, as head(1) counts with {@code M}. */
    static final long MEGABYTE = 1L << 20;

    private static final int MEGABYTES = 200;
    private static final int FULL_MEGABYTES = 2_000;

    private final int megabytes;

    /** Measures what the issue asks for. */
    public OutputSuite() {
        this(0);
    }

    /** With so many megabytes; 0 for as many as it takes. */
    OutputSuite(int megabytes) {
        this.megabytes = megabytes;
    }

    @Override
    public String name() {
        return "sandbox.output";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        int size = megabytes > 0 ? megabytes : setting.full() ? FULL_MEGABYTES : MEGABYTES;
        Optional<Measured> found =
                SandboxSuites.measure(
                        name(),
                        report,
                        () ->
                                MeasuringProcess.run(
                                        "output", Optional.empty(), setting.runs(), size));
        for (String tier : List.of("tierb", "tierc")) {
            found.ifPresent(
                    measured ->
                            measured.throughput(
                                    name() + "-" + tier,
                                    size * MEGABYTE,
                                    tier,
                                    "builder",
                                    "ProcessBuilder's pipe",
                                    report));
        }
    }
}
