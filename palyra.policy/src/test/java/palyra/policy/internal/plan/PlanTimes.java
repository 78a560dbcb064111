package palyra.policy.internal.plan;

import java.util.Optional;
import java.util.function.UnaryOperator;
import palyra.policy.internal.set.Snapshot;

/** Measures, by hand: how long 100,000 recorded decisions take. The shipped set; no test. */
final class PlanTimes {
    private static final int MANY = 100_000;

    private PlanTimes() {}

    private static long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    public static void main(String[] args) throws Exception {
        Snapshot candidate =
                Samples.set(
                        java.nio.file.Files.readString(
                                java.nio.file.Path.of(args[0], "default.cedar")),
                        Samples.NOT_EVE);
        for (int different : new int[] {100, MANY}) {
            Records records = new Records();
            for (int i = 0; i < MANY; i++) {
                records.at(i)
                        .action("allow", Samples.start("user:u" + i % 50, "s" + i % different));
            }
            for (int round = 0; round < 3; round++) {
                long start = System.nanoTime();
                long cpu = cpuNanos();
                PlanReport report =
                        new Plan(records.gate(), UnaryOperator.identity())
                                .run(candidate, Optional.of(candidate), 0, MANY, () -> false);
                System.out.println(
                        report.replayed()
                                + " decisions, "
                                + report.distinct()
                                + " different: "
                                + (System.nanoTime() - start) / 1_000_000
                                + " ms, "
                                + (cpuNanos() - cpu) / 1_000_000
                                + " ms of processor time");
            }
        }
        System.exit(0);
    }
}
