package palyra.bench.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import palyra.api.core.sandbox.SandboxProcess;

/** Starts {@code /bin/true} in every way there is; contestants take turns. */
final class SpawnWork {
    private static final String PROGRAM = "/bin/true";
    private static final Path FIREJAIL = Path.of("/usr/bin/firejail");
    private static final int FEW = 10;

    private final Tiers tiers;
    private final Path peers;
    private final Path peer;
    private final Output output;
    private final List<Long> started = new ArrayList<>();
    private final List<Long> whole = new ArrayList<>();

    SpawnWork(Tiers tiers, Path peers, Output output) {
        this.tiers = tiers;
        this.peers = peers;
        this.peer = peers.resolve(MeasuringProcess.PEER);
        this.output = output;
    }

    void run(int rounds, int count) throws Exception {
        List<String> ready = tiers.ready(output);
        Map<String, List<String>> outside = outside(ready, count);
        for (int round = -1; round < rounds; round++) {
            boolean counts = round >= 0;
            clear();
            tell(counts, "builder", Trials.times(count, this::builder));
            tell(counts, "builder-start", started);
            for (String tier : ready) {
                clear();
                tell(counts, tier, Trials.times(count, () -> sandboxed(tier)));
                tell(counts, tier + "-start", started);
                tell(counts, tier + "-whole", whole);
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

    private void tell(boolean counts, String series, List<Long> nanos) throws IOException {
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

    /** Returns the peers that are processes of their own and work here. */
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
        if (Files.isExecutable(FIREJAIL)) {
            String words =
                    words(folder, "firejail", "" + FIREJAIL, "--quiet", "--noprofile", PROGRAM);
            tryOut(all, "firejail", spawn(Math.min(FEW, count), List.of(words)));
        } else {
            output.fact("firejail", "left out: it is not installed");
        }
        Path script = peers.resolve(Srt.SCRIPT);
        if (Files.isReadable(script)) {
            tryOut(
                    all,
                    "srt",
                    List.of("node", script.toString(), "" + Math.min(FEW, count), PROGRAM));
        } else {
            output.fact("srt", "left out: node, npm or the package cannot be had here");
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

    /** A peer that does not work for this user, or here, is left out, not a failure. */
    private void tryOut(Map<String, List<String>> all, String name, List<String> command)
            throws Exception {
        try {
            List<Long> nanos = Trials.numbers(tiers.workspace(), command);
            output.fact(name, "first start " + TimeUnit.NANOSECONDS.toMicros(nanos.get(0)) + " µs");
            all.put(name, command);
        } catch (IOException | RuntimeException e) {
            output.fact(name, "left out: it does not work here: " + e.getMessage());
        }
    }
}
