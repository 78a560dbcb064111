package palyra.bench.turn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
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
 * How long a start takes until a model is asked again for a run of 100,000 records that was left in
 * the middle of a turn: opening the store and the engine, reading the run's tape, folding it. From
 * its snapshot, beside the same run folded from its whole tape; and that beside a run of 200.
 */
public final class ResumeSuite implements Suite {
    private static final int LONG = 100_000;
    private static final int SHORT = 200;
    private static final long PATIENCE_SECONDS = 120;

    @Override
    public String name() {
        return "resume";
    }

    /** Milliseconds of one round. */
    record Round(double snapshot, double folded, double brief) {}

    @Override
    public void run(Setting setting, Report report) throws Exception {
        List<Round> rounds = new ArrayList<>();
        for (int i = -1; i < setting.runs(); i++) {
            Round round = round(setting.folder("resume"), LONG, setting.folder("resume-short"));
            if (i >= 0) {
                rounds.add(round);
            }
        }
        Setting.delete(setting.folder("resume"));
        Setting.delete(setting.folder("resume-short"));
        Measure folded = measure(rounds, Round::folded);
        report.add(
                new Figure(
                        "resume.snapshot",
                        measure(rounds, Round::snapshot),
                        "the same run without its snapshot",
                        folded,
                        new Goal.None()));
        report.add(
                new Figure(
                        "resume.folded",
                        folded,
                        "a run of " + SHORT + " records",
                        measure(rounds, Round::brief),
                        new Goal.None()));
    }

    private static Measure measure(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return new Measure("ms", rounds.stream().map(figure::applyAsDouble).toList());
    }

    /** The first start folds the tape and leaves a snapshot to the second. */
    static Round round(Path folder, int records, Path shortFolder) throws Exception {
        String runId = plant(folder, records);
        double folded = started(folder, runId, true);
        double snapshot = started(folder, runId, false);
        return new Round(snapshot, folded, started(shortFolder, plant(shortFolder, SHORT), false));
    }

    private static String plant(Path folder, int records) throws IOException {
        try (BenchStore store = BenchStore.open(folder)) {
            return LongRun.plant(store.journal(), records);
        }
    }

    /** Returns milliseconds from a start until the model is asked. */
    private static double started(Path folder, String runId, boolean waitForSnapshot)
            throws IOException, InterruptedException {
        AskedModel model = new AskedModel();
        long began = System.nanoTime();
        try (LightProduct product = new LightProduct(folder, model)) {
            if (!model.asked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no model was asked within " + PATIENCE_SECONDS + " s");
            }
            double millis = (System.nanoTime() - began) / 1e6;
            long latest = began + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (waitForSnapshot && product.journal().snapshot(runId).isEmpty()) {
                if (System.nanoTime() > latest) {
                    throw new IOException("no snapshot was left");
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            return millis;
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
