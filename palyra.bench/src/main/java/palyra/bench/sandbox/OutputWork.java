package palyra.bench.sandbox;

import java.io.InputStream;
import java.util.List;
import palyra.api.core.sandbox.SandboxProcess;

/** Reads much from a command's standard output; contestants take turns. */
final class OutputWork {
    private static final String PROGRAM = "/usr/bin/head";

    private final Tiers tiers;
    private final Output output;

    OutputWork(Tiers tiers, Output output) {
        this.tiers = tiers;
        this.output = output;
    }

    void run(int rounds, int megabytes) throws Exception {
        List<String> ready = tiers.ready(output);
        long bytes = megabytes * OutputSuite.MEGABYTE;
        for (int round = -1; round < rounds; round++) {
            long plain = builder(bytes);
            if (round >= 0) {
                output.round("builder", List.of(plain));
            }
            for (String tier : ready) {
                long nanos = sandboxed(tier, bytes);
                if (round >= 0) {
                    output.round(tier, List.of(nanos));
                }
            }
        }
    }

    private static String[] command(long bytes) {
        return new String[] {PROGRAM, "-c", "" + bytes, "/dev/zero"};
    }

    private static long builder(long bytes) throws Exception {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command(bytes)).start();
        try (InputStream out = process.getInputStream()) {
            all(Trials.drain(out), bytes);
        }
        long nanos = System.nanoTime() - begin;
        Trials.end(process);
        return nanos;
    }

    private long sandboxed(String tier, long bytes) throws Exception {
        long begin = System.nanoTime();
        try (SandboxProcess process = tiers.start(tier, command(bytes))) {
            all(Trials.drain(process.stdout()), bytes);
            long nanos = System.nanoTime() - begin;
            Trials.end(process);
            return nanos;
        }
    }

    private static void all(long read, long expected) {
        if (read != expected) {
            throw new IllegalStateException("read " + read + " of " + expected + " bytes");
        }
    }
}
