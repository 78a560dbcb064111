package palyra.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Product;
import palyra.bench.models.TokenServer;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * From the moment at which a model server sends a token until it is in the page of the console, in
 * Chromium; beside a page of nothing but the answer, which reads the same model's stream itself.
 * And from the button until the first token is there, beside the same.
 */
public final class ScreenSuite implements Suite {
    private static final int TOKENS = 300;
    private static final long THINK_MILLIS =
            2_000; // the page that shows the answer is there by then
    private static final long PACE_MILLIS = 10;
    private static final String PEER = "a bare page that reads the same model's stream";

    private final List<Latencies> ours = new ArrayList<>();
    private final List<Latencies> theirs = new ArrayList<>();
    private final List<Double> ourFirst = new ArrayList<>();
    private final List<Double> theirFirst = new ArrayList<>();

    @Override
    public String name() {
        return "console.screen";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        try (TokenServer model = new TokenServer(TOKENS, THINK_MILLIS, PACE_MILLIS);
                Product product =
                        Product.start(
                                setting.dist(),
                                setting.folder("console-screen"),
                                model.asDefaultProvider());
                Chromium browser = Chromium.start()) {
            Visitor visitor = Visitor.invite(product, "ann");
            browser.run(Chromium.job("fresh", visitor.url()).put("cookie", visitor.cookie()));
            for (int run = -1; run < setting.runs(); run++) {
                keep(run, say(browser, "bare", model.url()), model, theirs, theirFirst);
                keep(run, say(browser, "chat", visitor.url()), model, ours, ourFirst);
            }
        }
        Setting.delete(setting.work().resolve("console-screen"));
        report.add(figure(50));
        report.add(figure(99));
        report.add(
                new Figure(
                        "console.screen-first",
                        new Measure("ms", ourFirst),
                        PEER + ", after " + THINK_MILLIS + " ms of thought",
                        new Measure("ms", theirFirst),
                        new Goal.None()));
    }

    private static JsonNode say(Chromium browser, String job, String url) throws IOException {
        return browser.run(Chromium.job(job, url).put("tokens", TOKENS));
    }

    /** The run before 0 warms up. */
    private static void keep(
            int run, JsonNode said, TokenServer model, List<Latencies> all, List<Double> first) {
        if (run < 0) {
            return;
        }
        Wall wall = new Wall();
        Latencies latencies = new Latencies();
        for (int token = 0; token < TOKENS; token++) {
            double seen = said.path("micros").path(token).asDouble();
            double micros = seen - wall.micros(model.sentNanos(token));
            latencies.add(TimeUnit.MICROSECONDS.toNanos(Math.round(micros)));
        }
        all.add(latencies);
        first.add(
                (said.path("micros").path(0).asDouble() - said.path("askedMicros").asDouble())
                        / 1_000);
    }

    private Figure figure(int percent) {
        return new Figure(
                "console.screen-token-p" + percent,
                new Measure("ms", ours.stream().map(run -> run.millis(percent)).toList()),
                PEER,
                new Measure("ms", theirs.stream().map(run -> run.millis(percent)).toList()),
                new Goal.None());
    }
}
