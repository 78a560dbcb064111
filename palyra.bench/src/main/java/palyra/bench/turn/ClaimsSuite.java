package palyra.bench.turn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.journal.BenchStore;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * How long a start takes until messages are accepted when an engine before left 5,000 runs that
 * were RUNNING, each in a session of its own and in the middle of its first turn: all of them are
 * taken before. Beside the same start with 50.
 */
public final class ClaimsSuite implements Suite {
    private static final int MANY = 5_000;
    private static final int FEW = 50;
    private static final double GOAL_MILLIS = 10_000;

    /** As long as is waited; the goal is shorter. */
    private static final int READY_SECONDS = 300;

    @Override
    public String name() {
        return "claims";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<Double> many = new ArrayList<>();
        List<Double> few = new ArrayList<>();
        for (int i = -1; i < setting.runs(); i++) {
            double small = readyMillis(setting.folder("claims-few"), FEW);
            if (i >= 0) { // the first warms up
                few.add(small);
                many.add(readyMillis(setting.folder("claims-many"), MANY));
            }
        }
        Setting.delete(setting.folder("claims-few"));
        Setting.delete(setting.folder("claims-many"));
        report.add(
                new Figure(
                        "claims.ready-with-" + MANY + "-running-runs",
                        new Measure("ms", many),
                        "the same start with " + FEW,
                        new Measure("ms", few),
                        new Goal.AtMost(GOAL_MILLIS)));
    }

    /** Returns milliseconds from opening the store until the engine accepts messages. */
    static double readyMillis(Path folder, int runs) throws IOException, InterruptedException {
        try (BenchStore store = BenchStore.open(folder)) {
            plant(store.journal(), runs);
        }
        long began = System.nanoTime();
        try (LightProduct product = new LightProduct(folder, new SilentModel(), READY_SECONDS)) {
            double millis = (System.nanoTime() - began) / 1e6;
            product.submit("later", "hello"); // it does accept
            return millis;
        }
    }

    private static void plant(Journal journal, int runs) {
        for (int i = 0; i < runs; i++) {
            LongRun.plantFirstTurn(journal);
        }
    }

    /** Says nothing. */
    private static final class SilentModel implements ModelProvider {
        @Override
        public void start(ModelRequest request, ModelSink sink) {
            // the run waits for it
        }

        @Override
        public void cancel(String requestId) {
            // it is not working on anything
        }
    }
}
