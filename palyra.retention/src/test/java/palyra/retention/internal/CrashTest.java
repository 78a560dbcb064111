package palyra.retention.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.VerificationReport;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;

/** A sweep is killed at each of its units; the store verifies, and what was to be kept is there. */
class CrashTest {
    static final Ages AGES = new Ages(1, 30, 365, 90, 0);
    private static final int RUNS = 4;
    private static final int TOKENS = 500;

    @TempDir Path state;

    @Test
    void aKilledSweepLosesNothingAndIsFinished() throws Exception {
        ManualClock clock = new ManualClock(Store.BEGIN);
        MemoryKeys keys = new MemoryKeys();
        List<String> old = new ArrayList<>();
        String held;
        String open;
        String young;
        try (Store store = new Store(state, clock, keys)) {
            for (int i = 0; i < RUNS; i++) {
                old.add(store.run("why", "because", TOKENS));
            }
            held = store.open("how", "so", 3);
            store.end(held, "so", OutboxRow.State.PENDING);
            open = store.open("where", "here", 3);
            clock.advance(TimeUnit.DAYS.toMillis(100));
            young = store.run("when", "now", 3);
        }
        int kills = 0;
        while (killAtUnit(1 + kills % 3, clock.millis())) {
            kills++;
            try (Store store = new Store(state, clock, keys)) {
                VerificationReport report = store.journal.verifyAll(() -> false);
                assertTrue(report.fault().isEmpty(), () -> report.fault().get().toString());
                assertEquals(RUNS + 2, report.seals());
                assertEquals(
                        List.of("message", "message"),
                        store.whole(held).stream().filter(one -> one.equals("message")).toList());
                assertEquals(4, store.whole(open).size());
                assertEquals(5, store.whole(young).size());
                assertEquals(1, store.journal.outboxOf(held).size());
                assertEquals(1, store.journal.outboxOf(young).size());
            }
        }
        assertTrue(kills >= 5, kills + " kills");
        try (Store store = new Store(state, clock, keys)) {
            Map<Kind, Long> due = new Retention(store.gate, clock, AGES).due(100, () -> false);
            assertEquals(
                    Map.of(
                            Kind.TOKENS,
                            0L,
                            Kind.DELIVERIES,
                            0L,
                            Kind.APPROVALS,
                            0L,
                            Kind.TAPES,
                            1L),
                    due,
                    "only the run whose answer waits");
            old.forEach(runId -> assertEquals(List.of(), store.whole(runId)));
            assertEquals(
                    Map.of(),
                    new Retention(store.gate, clock, AGES)
                            .sweep(EnumSet.noneOf(Kind.class), () -> false, kind -> {}));
        }
    }

    /** Returns false when the sweep ended before its unit of that number. */
    private boolean killAtUnit(int unit, long now) throws IOException, InterruptedException {
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SweepingChild.class.getName(),
                                state.toString(),
                                Long.toString(now))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            int commits = 0;
            String line = out.readLine();
            while ("commit".equals(line) && ++commits < unit) {
                line = out.readLine();
            }
            assertTrue(line != null, "the child died by itself");
            boolean ended = "done".equals(line);
            if (!ended) {
                child.destroyForcibly();
            }
            assertTrue(child.waitFor(30, TimeUnit.SECONDS));
            return !ended;
        }
    }
}
