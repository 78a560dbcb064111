package palyra.bench.channels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Conversation;
import palyra.bench.grpc.GrpcClient;
import palyra.bench.grpc.GrpcLoad;
import palyra.bench.grpc.Product;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * Messages through the whole product by the webhook connector: accepted, routed, run by the
 * deterministic model, and called back. As many as it takes, beside the same over gRPC without
 * inbox rule and outbox; and how old the answers of quick conversations get while the platform
 * keeps one conversation waiting, beside the same without that conversation.
 */
public final class EndToEndSuite implements Suite {
    private static final int CONVERSATIONS = 32;
    private static final int QUICK = 8;
    private static final long SLOW_MILLIS = 10_000;
    private static final int SECONDS = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final int AS_MANY_AS_IT_TAKES = 5_000; // a second; bounded by what is open
    private static final String ANSWERS = "channels.answers";

    @Override
    public String name() {
        return "channels.end-to-end";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("channels");
        try (Callbacks callbacks = new Callbacks(SLOW_MILLIS);
                Product product =
                        Product.start(
                                setting.dist(),
                                folder,
                                "palyra.sandbox.egress:allowPrivate=127.0.0.1:"
                                        + callbacks.port());
                Service service = service(product, callbacks);
                GrpcClient client = new GrpcClient(product.endpoint("grpc"), product.token(), 8)) {
            rates(setting, report, service, client);
            ages(setting, report, service);
        }
        Setting.delete(folder);
    }

    private static Service service(Product product, Callbacks callbacks)
            throws IOException, InterruptedException {
        product.commandWith(Service.SECRET, "vault", "put", "channel:webhook:main/secret");
        Path conf = Files.createDirectories(product.state().resolve("conf"));
        Files.writeString(
                conf.resolve("palyra.channels.route~all.json"),
                "{\"connectors\":[\"webhook:*\"],\"directMessages\":\"allow\"}");
        Files.writeString(
                conf.resolve("palyra.connectors.webhook~main.json"),
                "{\"secrets\":[\"vault:channel:webhook:main/secret\"],\"callbackUrl\":"
                        + "\"http://127.0.0.1:"
                        + callbacks.port()
                        + "/\",\"requestsPerMinute\":60000}");
        for (int look = 0; !isReady(product); look++) {
            if (look == PATIENCE_SECONDS) {
                throw new IOException("the connector was not ready");
            }
            TimeUnit.SECONDS.sleep(1);
        }
        return new Service(product.endpoint("http"), callbacks);
    }

    private static boolean isReady(Product product) throws InterruptedException {
        try {
            return product.command("channels", "status", "webhook:main")
                    .path("state")
                    .asText()
                    .equals("READY");
        } catch (IOException e) {
            return false; // it is not there yet
        }
    }

    private static void rates(Setting setting, Report report, Service service, GrpcClient client)
            throws Exception {
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int run = -1; run < setting.runs(); run++) {
            double own = talk(service, CONVERSATIONS).size() / (double) SECONDS;
            double other = overGrpc(client, run);
            if (run >= 0) {
                ours.add(own);
                theirs.add(other);
            }
        }
        report.add(
                new Figure(
                        ANSWERS,
                        new Measure("answers/s", ours),
                        "the same over gRPC",
                        new Measure("answers/s", theirs),
                        new Goal.None()));
    }

    private static double overGrpc(GrpcClient client, int run) throws Exception {
        try (GrpcLoad load =
                new GrpcLoad(client, "chat-" + run, CONVERSATIONS, Conversation.plain())) {
            load.start(AS_MANY_AS_IT_TAKES, CONVERSATIONS);
            TimeUnit.SECONDS.sleep(SECONDS);
            double rate = load.ended() / (double) SECONDS;
            if (!load.finish(PATIENCE_SECONDS).isEmpty() || !load.breaches().isEmpty()) {
                throw new IOException("wrong over gRPC: " + load.breaches());
            }
            return rate;
        }
    }

    private static void ages(Setting setting, Report report, Service service) throws Exception {
        List<Latencies> alone = new ArrayList<>();
        List<Latencies> beside = new ArrayList<>();
        for (int run = 0; run < setting.runs(); run++) {
            alone.add(talk(service, QUICK));
            for (int i = 0; i <= SECONDS * 1_000 / SLOW_MILLIS; i++) {
                service.say(Callbacks.SLOW);
            }
            beside.add(talk(service, QUICK));
            TimeUnit.MILLISECONDS.sleep(2 * SLOW_MILLIS); // what the slow one still waits for
        }
        for (int percent : new int[] {50, 99, 100}) {
            report.add(
                    new Figure(
                            "channels.age-beside-slow-p" + percent,
                            millis(beside, percent),
                            "without the slow conversation",
                            millis(alone, percent),
                            new Goal.None()));
        }
    }

    private static Measure millis(List<Latencies> runs, int percent) {
        return new Measure("ms", runs.stream().map(run -> run.millis(percent)).toList());
    }

    /** Each conversation asks, waits for the answer, and asks again. */
    private static Latencies talk(Service service, int conversations) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<Future<Latencies>> talks = new ArrayList<>();
        Latencies all = new Latencies();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < conversations; i++) {
                talks.add(threads.submit(asking(service, "c" + i, over)));
            }
            TimeUnit.SECONDS.sleep(SECONDS);
            over.countDown();
            for (Future<Latencies> talk : talks) {
                all.addAll(talk.get());
            }
        }
        return all;
    }

    private static Callable<Latencies> asking(
            Service service, String conversation, CountDownLatch over) {
        return () -> {
            Latencies ages = new Latencies();
            while (over.getCount() > 0) {
                ages.add(service.ask(conversation));
            }
            return ages;
        };
    }
}
