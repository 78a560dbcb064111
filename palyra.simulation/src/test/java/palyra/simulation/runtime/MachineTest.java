package palyra.simulation.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** The machine decides by its seed and nothing else. */
class MachineTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /** A few threads that compete for a lock and pass numbers on. */
    private static List<Integer> race(Machine machine) {
        List<Integer> seen = new ArrayList<>();
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(3);
        ReentrantLock lock = new ReentrantLock();
        Machine.Process process = machine.process("race");
        for (int i = 0; i < 5; i++) {
            int number = i;
            process.start(
                    () -> {
                        for (int j = 0; j < 10; j++) {
                            lock.lock();
                            try {
                                Thread.yield();
                            } finally {
                                lock.unlock();
                            }
                            put(queue, number);
                        }
                    });
        }
        process.start(
                () -> {
                    while (seen.size() < 50) {
                        seen.add(take(queue));
                    }
                });
        assertEquals(Machine.End.DONE, machine.run(() -> seen.size() == 50, HOUR, 100_000));
        assertEquals(List.of(), machine.foreign());
        return seen;
    }

    private static void put(ArrayBlockingQueue<Integer> queue, int number) {
        try {
            queue.put(number);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int take(ArrayBlockingQueue<Integer> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sameSeedTakesTheSameSteps() {
        Machine one = new Machine(7);
        Machine other = new Machine(7);
        assertEquals(race(one), race(other));
        assertEquals(one.trace(), other.trace());
        assertNotEquals(race(new Machine(8)), race(new Machine(7)));
    }

    @Test
    void timePassesWhenAllWait() {
        Machine machine = new Machine(1);
        List<Long> slept = new ArrayList<>();
        long begun = System.nanoTime();
        machine.process("sleeper")
                .start(
                        () -> {
                            long before = palyra.simulation.hook.Hooks.nanoTime();
                            sleep(TimeUnit.MINUTES.toMillis(30));
                            slept.add(palyra.simulation.hook.Hooks.nanoTime() - before);
                        });
        assertEquals(Machine.End.DONE, machine.run(() -> !slept.isEmpty(), HOUR, 1_000));
        assertTrue(slept.getFirst() >= TimeUnit.MINUTES.toNanos(30));
        assertTrue(System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(10), "by its own clock");
    }

    @Test
    void killedProcessNeverGoesOn() {
        Machine machine = new Machine(1);
        List<String> said = new ArrayList<>();
        Machine.Process dying = machine.process("dying");
        dying.start(
                () -> {
                    said.add("before");
                    sleep(1_000);
                    said.add("after");
                });
        Machine.Process killer = machine.process("killer");
        killer.start(
                () -> {
                    sleep(500);
                    dying.kill();
                    sleep(5_000);
                    said.add("end");
                });
        assertEquals(Machine.End.DONE, machine.run(() -> said.contains("end"), HOUR, 1_000));
        assertEquals(List.of("before", "end"), said);
    }

    @Test
    void loopThatNeverWaitsLongEnds() {
        Machine machine = new Machine(1);
        machine.process("busy")
                .start(
                        () -> {
                            while (true) {
                                Thread.yield();
                            }
                        });
        assertEquals(Machine.End.STEPS, machine.run(() -> false, HOUR, 5_000));
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
