package palyra.sandbox.tierc.macos.internal.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog.Bounds;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog.Verdict;

class WatchTest {
    private static final int ROOT = 100;
    private static final Bounds BOUNDS = new Bounds(100L << 20, 1_000, 5);

    private final FakeTable table = new FakeTable().add(ROOT, 1, ROOT, 10, 10).add(7, 1, 7, 900, 9);

    private Verdict verdictOn(FakeTable seen) throws InterruptedException {
        AtomicBoolean running = new AtomicBoolean(true);
        CountDownLatch killed = new CountDownLatch(1);
        Watchdog watchdog =
                new Watchdog(
                        "call-1",
                        new Family(ROOT, seen),
                        BOUNDS,
                        running::get,
                        () -> {
                            running.set(false);
                            killed.countDown();
                        });
        watchdog.start();
        assertTrue(killed.await(30, TimeUnit.SECONDS), "nothing was ended");
        watchdog.close();
        return watchdog.verdict();
    }

    @Test
    void endsACommandWhoseProcessesTogetherUseTooMuchMemory() throws Exception {
        table.add(101, ROOT, ROOT, 50, 10).add(102, 101, ROOT, 50, 10);
        assertEquals(Verdict.MEMORY, verdictOn(table));
    }

    @Test
    void endsACommandWhoseProcessesTogetherUseTooMuchProcessorTime() throws Exception {
        table.add(101, ROOT, ROOT, 5, 500).add(102, 101, ROOT, 5, 500);
        assertEquals(Verdict.CPU, verdictOn(table));
    }

    @Test
    void endsACommandWithTooManyProcesses() throws Exception {
        for (int i = 1; i <= 5; i++) {
            table.add(ROOT + i, ROOT, ROOT, 1, 1);
        }
        assertEquals(Verdict.PROCESSES, verdictOn(table));
    }

    @Test
    void endsACommandThatItCannotSee() throws Exception {
        table.blind = true;
        assertEquals(Verdict.BLIND, verdictOn(table));
    }

    @Test
    void endsACommandWhenLookingFails() throws Exception {
        FakeTable broken = new FakeTable();
        ProcessTable failing =
                (ProcessTable)
                        java.lang.reflect.Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {ProcessTable.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("use")) {
                                        throw new IllegalStateException("broken");
                                    }
                                    return method.invoke(broken, arguments);
                                });
        CountDownLatch killed = new CountDownLatch(1);
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> {});
        try (Watchdog watchdog =
                new Watchdog(
                        "c", new Family(ROOT, failing), BOUNDS, () -> true, killed::countDown)) {
            watchdog.start();
            assertTrue(killed.await(30, TimeUnit.SECONDS));
            assertEquals(Verdict.BLIND, watchdog.verdict());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void leavesAModestCommandAloneAndRemembersWhatItUsed() throws Exception {
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicBoolean killed = new AtomicBoolean();
        Watchdog watchdog =
                new Watchdog(
                        "c", new Family(ROOT, table), BOUNDS, running::get, () -> killed.set(true));
        watchdog.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (watchdog.peakBytes() < 0 && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        watchdog.close();
        assertFalse(killed.get());
        assertEquals(10L << 20, watchdog.peakBytes());
        assertEquals(10, watchdog.cpuMillis());
        assertEquals(Verdict.NONE, watchdog.verdict());
    }

    @Test
    void familyKeepsWhoLeftTheGroupAndLostItsParent() {
        table.add(101, ROOT, ROOT, 1, 1).add(102, 101, 102, 20, 1);
        Family family = new Family(ROOT, table);
        assertEquals(3, family.look().processes());
        table.processes.remove(101);
        table.add(102, 1, 102, 30, 1);
        assertEquals(40L << 20, family.look().memoryBytes());
        assertEquals(0, family.kill());
        assertEquals(Set.of(ROOT, 102), Set.copyOf(table.killed));
        assertTrue(table.processes.containsKey(7), "another's process is left alone");
    }

    @Test
    void familyDoesNotTakeAReusedIdForItsMember() {
        table.add(101, ROOT, 101, 1, 1);
        Family family = new Family(ROOT, table);
        family.look();
        table.processes.put(101, new FakeTable.Entry(1, 101, 99_999, 1, 1));
        assertEquals(1, family.look().processes());
        family.kill();
        assertFalse(table.killed.contains(101));
    }

    @Test
    void familyThatIsTooLargeToLookAtIsTooLarge() {
        for (int i = 1; i <= 5_000; i++) {
            table.add(1_000 + i, ROOT, ROOT, 0, 0);
        }
        assertEquals(Integer.MAX_VALUE, new Family(ROOT, table).look().processes());
    }

    @Test
    void familyTellsHowManyWouldNotDie() {
        table.add(101, ROOT, ROOT, 1, 1);
        table.mortal = false;
        assertEquals(2, new Family(ROOT, table).kill());
    }
}
