package palyra.bench.deploy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Product;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * From a pinned jar's move into the drop-in folder of the whole product until its service answers,
 * beside the same framework that is simply told to install and start the jar. Drops begin at times
 * that have nothing to do with the watcher's.
 */
public final class DropSuite implements Suite {
    private static final int DROPS = 20;
    private static final int MOST_PAUSE_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final double GOAL_MILLIS = 2_000;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Random random = new Random(7);

    @Override
    public String name() {
        return "deploy";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("deploy");
        List<DroppedJar> jars = new ArrayList<>();
        for (int i = 0; i <= setting.runs() * DROPS; i++) {
            jars.add(DroppedJar.of(i));
        }
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        try (Product product = start(setting.dist(), folder, jars);
                BareFramework bare = new BareFramework(folder.resolve("bare"))) {
            HttpRequest metrics = metrics(product);
            drop(product, metrics, jars.getFirst()); // warms up
            bare.take(jars.getFirst());
            for (int run = 0; run < setting.runs(); run++) {
                List<DroppedJar> some = jars.subList(1 + run * DROPS, 1 + (run + 1) * DROPS);
                ours.add(dropped(product, metrics, some));
                theirs.add(taken(bare, some));
            }
        }
        Setting.delete(folder);
        report.add(figure(50, ours, theirs));
        report.add(figure(99, ours, theirs));
    }

    private static Product start(Path dist, Path folder, List<DroppedJar> jars)
            throws IOException, InterruptedException {
        String pins = jars.stream().map(DroppedJar::pin).collect(Collectors.joining(","));
        return Product.start(
                dist, folder, "palyra.deploy:enabled=true", "palyra.deploy:pins=" + pins);
    }

    private static HttpRequest metrics(Product product) throws IOException, InterruptedException {
        return HttpRequest.newBuilder(URI.create(product.endpoint("http") + "/metrics"))
                .header("Authorization", "Bearer " + product.token())
                .build();
    }

    private Latencies dropped(Product product, HttpRequest metrics, List<DroppedJar> jars)
            throws IOException, InterruptedException {
        Latencies latencies = new Latencies();
        for (DroppedJar jar : jars) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_PAUSE_MILLIS));
            latencies.add(drop(product, metrics, jar));
        }
        return latencies;
    }

    private long drop(Product product, HttpRequest metrics, DroppedJar jar)
            throws IOException, InterruptedException {
        Path whole = Files.write(product.state().resolve("tmp").resolve(jar.name()), jar.bytes());
        Path place = product.state().resolve("deploy").resolve(jar.name() + ".jar");
        long begin = System.nanoTime();
        Files.move(whole, place, StandardCopyOption.ATOMIC_MOVE);
        long end = begin + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!shown(metrics).contains(jar.metric() + " ")) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(
                        jar.name() + " is not live: " + product.command("deploy", "list"));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return System.nanoTime() - begin;
    }

    private String shown(HttpRequest metrics) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(metrics, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("/metrics answers " + answer.statusCode());
        }
        return answer.body();
    }

    private static Latencies taken(BareFramework bare, List<DroppedJar> jars) throws IOException {
        Latencies latencies = new Latencies();
        for (DroppedJar jar : jars) {
            latencies.add(bare.take(jar));
        }
        return latencies;
    }

    private static Figure figure(int percent, List<Latencies> ours, List<Latencies> theirs) {
        return new Figure(
                "deploy-p" + percent,
                new Measure("ms", ours.stream().map(run -> run.millis(percent)).toList()),
                "the same framework told to install and start the jar",
                new Measure("ms", theirs.stream().map(run -> run.millis(percent)).toList()),
                new Goal.AtMost(GOAL_MILLIS));
    }
}
