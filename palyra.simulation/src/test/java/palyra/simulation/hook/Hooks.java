package palyra.simulation.hook;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ThreadFactory;

/**
 * What swapped call sites call, in the product and in the JDK: the machine answers a simulated
 * thread, the real method everybody else. Loaded by the boot loader, so that the JDK reaches it;
 * knows types of the JDK alone. Thread-safe.
 */
public final class Hooks {
    /** What a simulated thread asks of its machine. */
    public interface Source {
        /** Returns monotonic nanoseconds. */
        long nanos();

        /** Returns unix milliseconds of the wall clock. */
        long millis();

        /** Makes a thread of the caller's process. */
        Thread thread(Runnable task);

        /** Returns random bits. */
        long bits();
    }

    private static volatile Source source;

    private Hooks() {}

    /** From now on this machine answers; null for none. */
    public static void use(Source machine) {
        source = machine;
    }

    /** Every virtual thread of this JVM is a simulated one. */
    private static Source of() {
        Source now = source;
        return now != null && Thread.currentThread().isVirtual() ? now : null;
    }

    /** For {@link System#nanoTime}. */
    public static long nanoTime() {
        Source machine = of();
        return machine == null ? System.nanoTime() : machine.nanos();
    }

    /** For {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        Source machine = of();
        return machine == null ? System.currentTimeMillis() : machine.millis();
    }

    /** For {@link Instant#now()}. */
    public static Instant instantNow() {
        return Instant.ofEpochMilli(currentTimeMillis());
    }

    /** For {@link InstantSource#system}. */
    public static InstantSource instantSource() {
        return Hooks::instantNow;
    }

    /** For {@link Random#nextBytes} and what inherits it. */
    public static void nextBytes(Random random, byte[] bytes) {
        Source machine = of();
        if (machine == null) {
            random.nextBytes(bytes);
            return;
        }
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) machine.bits();
        }
    }

    /** For {@link Random#nextLong()} and what inherits it. */
    public static long nextLong(Random random) {
        Source machine = of();
        return machine == null ? random.nextLong() : machine.bits();
    }

    /** For {@link Random#nextLong(long)} and what inherits it. */
    public static long nextLong(Random random, long bound) {
        Source machine = of();
        return machine == null ? random.nextLong(bound) : Math.floorMod(machine.bits(), bound);
    }

    /** For {@link Thread.Builder#unstarted}. */
    public static Thread unstarted(Thread.Builder builder, Runnable task) {
        Source machine = of();
        return machine == null ? builder.unstarted(task) : machine.thread(task);
    }

    /** For {@link Thread.Builder#start}. */
    public static Thread start(Thread.Builder builder, Runnable task) {
        Thread thread = unstarted(builder, task);
        thread.start();
        return thread;
    }

    /** For {@link Thread.Builder#factory}. */
    public static ThreadFactory factory(Thread.Builder builder) {
        ThreadFactory real = builder.factory();
        return task -> {
            Source machine = of();
            return machine == null ? real.newThread(task) : machine.thread(task);
        };
    }
}
