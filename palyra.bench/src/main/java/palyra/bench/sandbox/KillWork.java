package palyra.bench.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import palyra.api.core.sandbox.SandboxProcess;

/** Ends trees of 31 processes, of which 20 have left for sessions of their own. */
final class KillWork {
    private static final byte[] READY = "ready\n".getBytes(StandardCharsets.UTF_8);

    private final Tiers tiers;
    private final Path peer;
    private final Output output;

    /** Such that no other run's processes have it, and short enough for the kernel. */
    private final String name = "ptree-" + ProcessHandle.current().pid();

    KillWork(Tiers tiers, Path peers, Output output) {
        this.tiers = tiers;
        this.peer = peers.resolve(MeasuringProcess.PEER);
        this.output = output;
    }

    void run(int rounds, int count) throws Exception {
        List<String> ready = tiers.ready(output);
        Path tree = tiers.workspace().resolve(name);
        Files.copy(peer, tree);
        if (!tree.toFile().setExecutable(true)) {
            throw new IOException(tree + " cannot be made executable");
        }
        for (int round = -1; round < rounds; round++) {
            for (String tier : ready) {
                List<Long> nanos = Trials.times(count, () -> sandboxed(tier, tree));
                if (round >= 0) {
                    output.round(tier, nanos);
                }
            }
            if (round >= 0) {
                output.round(
                        "c",
                        Trials.numbers(
                                tiers.workspace(), List.of(peer.toString(), "kill", "" + count)));
            }
        }
    }

    private long sandboxed(String tier, Path tree) throws Exception {
        try (SandboxProcess process = tiers.start(tier, tree.toString(), "tree", "daemons")) {
            awaitReady(process.stdout());
            long begin = System.nanoTime();
            int left = process.kill();
            long nanos = System.nanoTime() - begin;
            long alive = alive();
            if (left != 0 || alive != 0) {
                throw new IllegalStateException(
                        "a kill left " + left + " processes by its word, " + alive + " by /proc");
            }
            return nanos;
        }
    }

    private static void awaitReady(InputStream out) throws IOException {
        byte[] said = out.readNBytes(READY.length);
        if (!java.util.Arrays.equals(said, READY)) {
            throw new IOException(
                    "the tree did not stand: " + new String(said, StandardCharsets.UTF_8));
        }
    }

    /** Returns how many processes of a tree run; zombies do not. */
    private long alive() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(this::runs).count();
        }
    }

    private boolean runs(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            return stat.contains("(" + name + ")") && !stat.contains(") Z ");
        } catch (IOException noProcess) {
            return false; // it has ended, or it is no process
        }
    }
}
