package palyra.bench.sandbox;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.core.sandbox.SandboxProcess;

/**
 * The process that measures, started as an unprivileged user by {@link MeasuringProcess}: starts
 * {@code /bin/true} in each tier and by each peer, in turns, and prints the durations.
 */
public final class SpawnWork {
    private static final String PROGRAM = "/bin/true";

    private final Tiers tiers;
    private final Path peer;
    private final Output output;
    private final List<Long> started = new ArrayList<>();
    private final List<Long> whole = new ArrayList<>();

    private SpawnWork(Tiers tiers, Path peers, Output output) {
        this.tiers = tiers;
        this.peer = peers.resolve(MeasuringProcess.PEER);
        this.output = output;
    }

    /**
     * Measures and prints to standard output.
     *
     * @param arguments an own folder, the folder of the peer, rounds, starts in each
     */
    public static void main(String[] arguments) throws Exception {
        Output output = new Output(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        try (Tiers tiers = new Tiers(Path.of(arguments[0]))) {
            new SpawnWork(tiers, Path.of(arguments[1]), output)
                    .run(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        }
        System.exit(0);
    }

    private void run(int rounds, int count) throws Exception {
        List<String> ready = tiers.ready(output);
        Map<String, List<String>> outside = outside(ready, count);
        for (int round = -1; round < rounds; round++) {
            boolean counts = round >= 0;
            clear();
            print(counts, "builder", Trials.times(count, this::builder));
            print(counts, "builder-start", started);
            for (String tier : ready) {
                clear();
                print(counts, tier, Trials.times(count, () -> sandboxed(tier)));
                print(counts, tier + "-start", started);
                print(counts, tier + "-whole", whole);
            }
            if (counts) {
                for (Map.Entry<String, List<String>> each : outside.entrySet()) {
                    output.round(each.getKey(), Trials.numbers(tiers.workspace(), each.getValue()));
                }
            }
        }
    }

    private void clear() {
        started.clear();
        whole.clear();
    }

    private void print(boolean counts, String series, List<Long> nanos) throws IOException {
        if (counts) {
            output.round(series, nanos);
        }
    }

    private long builder() throws Exception {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(PROGRAM).start();
        started.add(System.nanoTime() - begin);
        process.waitFor();
        long nanos = System.nanoTime() - begin;
        Trials.end(process);
        return nanos;
    }

    private long sandboxed(String tier) throws Exception {
        long begin = System.nanoTime();
        long nanos;
        try (SandboxProcess process = tiers.start(tier, PROGRAM)) {
            started.add(System.nanoTime() - begin);
            Trials.end(process);
            nanos = System.nanoTime() - begin;
        }
        whole.add(System.nanoTime() - begin);
        return nanos;
    }

    /** Returns the peers that are processes of their own. */
    private Map<String, List<String>> outside(List<String> ready, int count) throws Exception {
        Map<String, List<String>> all = new TreeMap<>();
        Path folder = tiers.workspace().resolveSibling("peer");
        Files.createDirectories(folder);
        all.put("c", spawn(count, List.of(words(folder, "true", PROGRAM))));
        if (ready.contains("tierc")) {
            try (SandboxProcess process = tiers.start("tierc", PROGRAM)) {
                Trials.end(process);
            }
            all.put("c-bwrap", spawn(count, tiers.launcher().save(folder.resolve("bwrap"))));
        }
        return all;
    }

    private static String words(Path folder, String name, String... words) throws IOException {
        return RecordingLauncher.words(folder.resolve(name), List.of(words));
    }

    private List<String> spawn(int count, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(peer.toString(), "spawn", "" + count));
        command.addAll(arguments);
        return command;
    }
}
