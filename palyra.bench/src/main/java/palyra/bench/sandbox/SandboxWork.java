package palyra.bench.sandbox;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The process that measures; started as a user without rights by {@link MeasuringProcess}. */
public final class SandboxWork {
    private SandboxWork() {}

    /**
     * Measures and tells it at standard output.
     *
     * @param arguments what ({@code spawn}, {@code output}, {@code kill}), an own folder, the
     *     folder of the peers, rounds, operations in each
     */
    public static void main(String[] arguments) throws Exception {
        Output output = new Output(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        Path peers = Path.of(arguments[2]);
        int rounds = Integer.parseInt(arguments[3]);
        int count = Integer.parseInt(arguments[4]);
        try (Tiers tiers = new Tiers(Path.of(arguments[1]))) {
            switch (arguments[0]) {
                case "spawn" -> new SpawnWork(tiers, peers, output).run(rounds, count);
                case "output" -> new OutputWork(tiers, output).run(rounds, count);
                case "kill" -> new KillWork(tiers, peers, output).run(rounds, count);
                default -> throw new IllegalArgumentException("cannot measure " + arguments[0]);
            }
        }
        System.exit(0);
    }
}
