package palyra.bench.process;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * The product as its users start it: from the command until it is ready, and the memory it holds
 * once it is at rest; with and without the cache of {@code palyra optimize}, beside the same JVM
 * with an empty framework.
 */
public final class ProcessSuite implements Suite {
    private static final double GOAL_MILLIS = 2_500;
    private static final double GOAL_MEGABYTES = 250;
    private static final String PEER = "an empty Felix with SCR on the same JVM";
    private static final List<String> PEER_BUNDLES =
            List.of(
                    "org.apache.felix.scr-",
                    "org.osgi.util.promise-",
                    "org.osgi.util.function-",
                    "org.osgi.service.component-");

    @Override
    public String name() {
        return "process";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path script = setting.dist().resolve("bin/palyra");
        if (!Processes.supported() || !Files.isExecutable(script)) {
            throw new IOException(
                    "whole-process benchmarks need Linux and the built product, and there is no "
                            + script
                            + "; scripts/bench.sh process builds it");
        }
        Path folder = setting.folder("process");
        Launch plain = product(script, folder, "plain");
        Launch cached = product(script, folder, "cached");
        Launch peer = peer(setting.dist(), folder);
        optimize(script, folder, "cached");
        measure(setting, report, plain, cached, peer);
        Setting.delete(folder);
    }

    private static void measure(
            Setting setting, Report report, Launch plain, Launch cached, Launch peer)
            throws Exception {
        List<Launch.Life> plains = new ArrayList<>();
        List<Launch.Life> cacheds = new ArrayList<>();
        List<Launch.Life> peers = new ArrayList<>();
        for (int i = -1; i < setting.runs(); i++) {
            Launch.Life a = plain.live();
            Launch.Life b = cached.live();
            Launch.Life c = peer.live();
            if (i >= 0) { // the first start makes keys, database and caches
                plains.add(a);
                cacheds.add(b);
                peers.add(c);
            }
        }
        report.add(ready("process.ready", plains, peers, new Goal.None()));
        report.add(ready("process.ready-optimized", cacheds, peers, new Goal.AtMost(GOAL_MILLIS)));
        report.add(idle("process.idle", plains, peers));
        report.add(idle("process.idle-optimized", cacheds, peers));
    }

    private static Figure ready(
            String name, List<Launch.Life> ours, List<Launch.Life> theirs, Goal goal) {
        return new Figure(
                name,
                new Measure("ms", ours.stream().map(Launch.Life::readyMillis).toList()),
                PEER,
                new Measure("ms", theirs.stream().map(Launch.Life::readyMillis).toList()),
                goal);
    }

    private static Figure idle(String name, List<Launch.Life> ours, List<Launch.Life> theirs) {
        return new Figure(
                name,
                new Measure("MB", ours.stream().map(Launch.Life::idleMegabytes).toList()),
                PEER,
                new Measure("MB", theirs.stream().map(Launch.Life::idleMegabytes).toList()),
                new Goal.AtMost(GOAL_MEGABYTES));
    }

    private static Launch product(Path script, Path folder, String state) {
        Path readyFile = folder.resolve(state).resolve("run/ready.json");
        Map<String, String> environment = environment(folder.resolve(state));
        environment.put("PALYRA_READY_FILE", readyFile.toString());
        return new Launch(
                List.of(script.toString(), "up", "--headless", "--http-port", "0"),
                environment,
                readyFile,
                folder.resolve(state + ".log"));
    }

    /** The training run is not a gateway for users: it gets no ready file. */
    private static void optimize(Path script, Path folder, String state)
            throws IOException, InterruptedException {
        new Launch(
                        List.of(script.toString(), "optimize"),
                        environment(folder.resolve(state)),
                        folder.resolve("never"),
                        folder.resolve("optimize.log"))
                .complete();
    }

    /** The state folder is the script's to make: as root it gives it to the gateway's user. */
    private static Map<String, String> environment(Path state) {
        Map<String, String> environment = new HashMap<>();
        environment.put("PALYRA_STATE", state.toString());
        environment.put("PALYRA_JAVA_HOME", System.getProperty("java.home"));
        return environment;
    }

    /** With the JVM options of the launcher script. */
    private static Launch peer(Path dist, Path folder) throws IOException {
        Path own = Launch.fresh(folder.resolve("peer"));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:+UseSerialGC",
                                "-Xms48m",
                                "-XX:NewSize=24m",
                                "-Xmx512m",
                                "-Xss512k",
                                "-XX:-UsePerfData",
                                "-cp",
                                peerClassPath(dist),
                                EmptyFramework.class.getName(),
                                own.resolve("ready").toString(),
                                own.resolve("cache").toString()));
        command.addAll(peerBundles(dist));
        return new Launch(command, Map.of(), own.resolve("ready"), folder.resolve("peer.log"));
    }

    /** This code and the framework that ships, nothing more. */
    private static String peerClassPath(Path dist) throws IOException {
        try {
            Path own =
                    Path.of(
                            EmptyFramework.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            return own
                    + System.getProperty("path.separator")
                    + dist.resolve("lib/org.apache.felix.framework.jar");
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static List<String> peerBundles(Path dist) throws IOException {
        List<String> bundles = new ArrayList<>();
        for (String prefix : PEER_BUNDLES) {
            try (Stream<Path> files = Files.list(dist.resolve("bundles/3"))) {
                bundles.add(
                        files.filter(file -> file.getFileName().toString().startsWith(prefix))
                                .findFirst()
                                .orElseThrow(() -> new IOException("no " + prefix + "* in " + dist))
                                .toString());
            }
        }
        return bundles;
    }
}
