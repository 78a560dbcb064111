package palyra.bench.grpc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * What a message waits longer because bundles are being replaced: each in turn with {@code palyra
 * swap}, at 50 messages a second. Beside it the same product without swaps. Messages that take long
 * by themselves, a tool that sleeps, are counted apart.
 */
public final class SwapSuite implements Suite {
    private static final int PER_SECOND = 50;
    private static final int CONNECTIONS = 8;
    private static final int SESSIONS = 100;
    private static final long SLOW_MILLIS = 1_000;
    private static final long QUIET_SECONDS = 20;
    private static final long PATIENCE_SECONDS = 60;
    private static final double GOAL_ADDED_P99 = 250;
    private static final String PEER = "the same product left alone";

    @Override
    public String name() {
        return "grpc.swap";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("grpc-swap");
        try (Product product = Product.start(setting.dist(), folder);
                GrpcClient client = product.client(CONNECTIONS)) {
            product.command("agents", "create", "slow", "--test", "true", "--tool", "palyra.sleep");
            measure(setting, report, product, client);
        }
        Setting.delete(folder);
    }

    private static void measure(Setting setting, Report report, Product product, GrpcClient client)
            throws Exception {
        List<Path> jars = jars(setting.dist());
        Map<String, Latencies> waits = new TreeMap<>();
        List<Latencies> quiet = new ArrayList<>();
        List<Latencies> swapped = new ArrayList<>();
        Latencies slowQuiet = new Latencies();
        Latencies slowSwapped = new Latencies();
        try (GrpcLoad load = new GrpcLoad(client, "swap", SESSIONS, Conversation.plain());
                GrpcLoad slow =
                        new GrpcLoad(
                                client, "slow", SESSIONS, Conversation.slow("slow", SLOW_MILLIS))) {
            load.start(PER_SECOND);
            slow.start(1);
            TimeUnit.SECONDS.sleep(QUIET_SECONDS);
            for (int run = 0; run < setting.runs(); run++) {
                load.takeAcks();
                slow.takeTotals();
                TimeUnit.SECONDS.sleep(QUIET_SECONDS);
                quiet.add(load.takeAcks());
                slowQuiet.addAll(slow.takeTotals());
                Latencies all = new Latencies();
                for (Path jar : jars) {
                    String bundle = name(jar);
                    product.command("swap", bundle, jar.toString());
                    TimeUnit.SECONDS.sleep(1);
                    Latencies during = load.takeAcks();
                    waits.computeIfAbsent(bundle, any -> new Latencies()).addAll(during);
                    all.addAll(during);
                }
                swapped.add(all);
                slowSwapped.addAll(slow.takeTotals());
            }
            SessionsSuite.finish(load);
            SessionsSuite.finish(slow);
            report.fact("grpc.swap", load.summary());
        }
        report.add(figure("grpc.swap-p50", 50, swapped, quiet, new Goal.None()));
        report.add(figure("grpc.swap-p99", 99, swapped, quiet, new Goal.None()));
        report.add(added(swapped, quiet));
        report.add(
                figure(
                        "grpc.swap-slow-p99",
                        99,
                        List.of(slowSwapped),
                        List.of(slowQuiet),
                        new Goal.None()));
        waits.forEach(
                (bundle, wait) ->
                        report.fact(
                                "grpc.swap." + bundle,
                                "p50 "
                                        + Measure.number(wait.millis(50))
                                        + " ms, p99 "
                                        + Measure.number(wait.millis(99))
                                        + " ms, worst "
                                        + Measure.number(wait.millis(100))
                                        + " ms"));
    }

    private static Figure figure(
            String name, int percent, List<Latencies> ours, List<Latencies> theirs, Goal goal) {
        return new Figure(
                name,
                new Measure("ms", ours.stream().map(run -> run.millis(percent)).toList()),
                PEER,
                new Measure("ms", theirs.stream().map(run -> run.millis(percent)).toList()),
                goal);
    }

    /** The goal is on what swaps add at the 99th percentile. */
    private static Figure added(List<Latencies> swapped, List<Latencies> quiet) {
        List<Double> added = new ArrayList<>();
        for (int i = 0; i < swapped.size(); i++) {
            added.add(swapped.get(i).millis(99) - quiet.get(i).millis(99));
        }
        return new Figure(
                "grpc.swap-added-p99",
                new Measure("ms", added),
                PEER,
                new Measure("ms", quiet.stream().map(run -> run.millis(99)).toList()),
                new Goal.AtMost(GOAL_ADDED_P99));
    }

    private static List<Path> jars(Path dist) throws IOException {
        try (Stream<Path> files = Files.walk(dist.resolve("bundles"))) {
            return files.filter(file -> name(file).startsWith("palyra."))
                    .filter(file -> !name(file).startsWith("palyra.lib."))
                    .filter(file -> !name(file).startsWith("palyra.api"))
                    // Backends for other platforms stay off; nothing waits for them.
                    .filter(
                            file ->
                                    !name(file)
                                            .matches("palyra\\.sandbox\\.tierc\\.(macos|windows)"))
                    // The shell cannot wait for its own swap; the survival proof covers it.
                    .filter(file -> !name(file).equals("palyra.shell"))
                    .sorted()
                    .toList();
        }
    }

    private static String name(Path jar) {
        return jar.getFileName().toString().replaceFirst("-[0-9].*", "");
    }
}
