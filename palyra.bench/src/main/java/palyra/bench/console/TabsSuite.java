package palyra.bench.console;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Product;
import palyra.bench.models.BareStream;
import palyra.bench.models.ReceivedTokens;
import palyra.bench.models.TokenServer;
import palyra.bench.process.Processes;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * The event streams of 1 and of 200 tabs that show the same run, of 24 people: from the moment at
 * which the model server sends a token until a tab has it, beside a socket at the model server; and
 * what an open tab costs in memory.
 */
public final class TabsSuite implements Suite {
    /** Each may have 20 streams, and that a tab was closed is noticed at the next write to it. */
    private static final int PEOPLE = 24;

    private static final int TABS = 200;
    private static final int TOKENS = 200;
    private static final long THINK_MILLIS = 4_000; // the tabs are open by then
    private static final long PACE_MILLIS = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final String PEER = "a socket at the model server";

    @Override
    public String name() {
        return "console.tabs";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        try (TokenServer model = new TokenServer(TOKENS, THINK_MILLIS, PACE_MILLIS);
                Product product =
                        Product.start(
                                setting.dist(), setting.folder("console-tabs"), settings(model))) {
            List<Visitor> people = new ArrayList<>();
            for (int i = 0; i < PEOPLE; i++) {
                people.add(Visitor.invite(product, "person" + i));
            }
            follow(product, people, model, 1);
            for (int tabs : new int[] {1, TABS}) {
                measure(setting, report, new Scene(product, people, model), tabs);
            }
            memory(product, people, report);
        }
        Setting.delete(setting.work().resolve("console-tabs"));
    }

    /** All tabs are of one address here, of which the product lets fewer connections in. */
    private static String[] settings(TokenServer model) {
        List<String> settings = new ArrayList<>(List.of(model.asDefaultProvider()));
        settings.add("palyra.health:maxConnections=1000");
        settings.add("palyra.health:maxConnectionsPerAddress=1000");
        return settings.toArray(new String[0]);
    }

    private record Scene(Product product, List<Visitor> people, TokenServer model) {}

    private static void measure(Setting setting, Report report, Scene scene, int tabs)
            throws Exception {
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        for (int run = 0; run < setting.runs(); run++) {
            theirs.add(BareStream.read(scene.model(), TOKENS).since(scene.model()));
            ours.add(follow(scene.product(), scene.people(), scene.model(), tabs));
        }
        for (int percent : new int[] {50, 99}) {
            report.add(
                    new Figure(
                            "console.tabs-" + tabs + "-token-p" + percent,
                            new Measure(
                                    "ms", ours.stream().map(run -> run.millis(percent)).toList()),
                            PEER,
                            new Measure(
                                    "ms", theirs.stream().map(run -> run.millis(percent)).toList()),
                            new Goal.None()));
        }
    }

    /** One run that so many tabs follow. */
    private static Latencies follow(
            Product product, List<Visitor> people, TokenServer model, int tabs)
            throws IOException, InterruptedException {
        String run =
                product.command("ask", "--new", "--background", "Speak.").path("runId").asText();
        long askedNanos = System.nanoTime();
        List<OpenTab> open = open(people, tabs, "?run=" + run + "&seq=0");
        Latencies all = new Latencies();
        try {
            for (OpenTab tab : open) {
                tab.awaitOpen();
            }
            if (System.nanoTime() - askedNanos > TimeUnit.MILLISECONDS.toNanos(THINK_MILLIS)) {
                throw new IOException(
                        tabs
                                + " tabs were not open when the first token was sent; the machine is"
                                + " too busy to measure");
            }
            for (OpenTab tab : open) {
                all.addAll(tab.await().since(model));
            }
        } finally {
            close(open);
        }
        return all;
    }

    private static List<OpenTab> open(List<Visitor> people, int tabs, String query)
            throws IOException {
        List<OpenTab> open = new ArrayList<>();
        try {
            for (int i = 0; i < tabs; i++) {
                Visitor person = people.get(i % people.size());
                open.add(new OpenTab(person, query, new ReceivedTokens(TOKENS)));
            }
        } catch (IOException e) {
            close(open);
            throw e;
        }
        return open;
    }

    private static void close(List<OpenTab> open) throws IOException {
        for (OpenTab tab : open) {
            tab.close();
        }
    }

    /** The process at rest before and while the tabs are open. */
    private static void memory(Product product, List<Visitor> people, Report report)
            throws IOException, InterruptedException {
        double before = rest(product);
        List<OpenTab> open = open(people, TABS, "");
        double after;
        try {
            for (OpenTab tab : open) {
                tab.awaitOpen();
            }
            after = rest(product);
        } finally {
            close(open);
        }
        report.add(
                new Figure(
                        "console.tabs-memory",
                        new Measure("KB", List.of((after - before) * 1_024 / TABS)),
                        "the process before, for each tab",
                        new Measure("KB", List.of(before * 1_024 / TABS)),
                        new Goal.None()));
        report.fact("console.tabs-memory.process", Measure.number(after) + " MB");
    }

    private static double rest(Product product) throws IOException, InterruptedException {
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                        Long.toString(product.pid()),
                        "GC.run")
                .inheritIO()
                .start()
                .waitFor(30, TimeUnit.SECONDS);
        Processes.awaitIdle(product.pid(), PATIENCE_SECONDS);
        return Processes.residentMegabytes(product.pid());
    }
}
