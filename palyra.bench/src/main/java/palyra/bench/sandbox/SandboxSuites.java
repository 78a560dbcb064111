package palyra.bench.sandbox;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import palyra.bench.report.Report;

/** What the suites of sandboxes share. */
final class SandboxSuites {
    private SandboxSuites() {}

    /** A run of the measuring process. */
    interface Run {
        /** Returns the lines that it told. */
        List<String> lines() throws IOException, InterruptedException;
    }

    /** Measures and reports the facts; empty, with a fact that says why, where it cannot. */
    static Optional<Measured> measure(String name, Report report, Run run)
            throws IOException, InterruptedException {
        Optional<String> obstacle = MeasuringProcess.obstacle();
        if (obstacle.isPresent()) {
            report.fact(name, "left out: " + obstacle.get());
            System.err.println("bench: " + name + " is left out: " + obstacle.get());
            return Optional.empty();
        }
        Measured measured = Measured.parse(run.lines());
        measured.explain(name, report);
        return Optional.of(measured);
    }
}
