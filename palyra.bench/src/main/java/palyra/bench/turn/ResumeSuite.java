package palyra.bench.turn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
 * How long a start takes until a model is asked again for a run that was left in the middle of a
 * turn: opening the store and the engine, reading the run's tape, folding it. The peer is the same
 * with a run of a hundred records.
 */
public final class ResumeSuite implements Suite {
    private static final int LONG = 100_000;
    private static final int SHORT = 200;
    private static final long PATIENCE_SECONDS = 120;

    @Override
    public String name() {
        return "resume";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<Double> whole = new ArrayList<>();
        List<Double> brief = new ArrayList<>();
        for (int i = -1; i < setting.runs(); i++) {
            double mine = resumed(setting.folder("resume"), LONG);
            double other = resumed(setting.folder("resume"), SHORT);
            if (i >= 0) {
                whole.add(mine);
                brief.add(other);
            }
        }
        Setting.delete(setting.folder("resume"));
        report.add(
                new Figure(
                        "resume.folded",
                        new Measure("ms", whole),
                        "a run of " + SHORT + " records",
                        new Measure("ms", brief),
                        new Goal.None()));
    }

    /** Returns milliseconds from a start until the model is asked. */
    static double resumed(Path folder, int records) throws Exception {
        try (BenchStore store = BenchStore.open(folder)) {
            LongRun.plant(store.journal(), records);
        }
        return started(folder);
    }

    private static double started(Path folder) throws IOException, InterruptedException {
        AskedModel model = new AskedModel();
        long began = System.nanoTime();
        try (LightProduct ignored = new LightProduct(folder, model)) {
            if (!model.asked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no model was asked within " + PATIENCE_SECONDS + " s");
            }
            return (System.nanoTime() - began) / 1e6;
        }
    }

    /** Says nothing, and tells that it was asked. */
    private static final class AskedModel implements ModelProvider {
        private final CountDownLatch asked = new CountDownLatch(1);

        @Override
        public void start(ModelRequest request, ModelSink sink) {
            asked.countDown();
        }

        @Override
        public void cancel(String requestId) {
            // it is not working on anything
        }
    }
}
