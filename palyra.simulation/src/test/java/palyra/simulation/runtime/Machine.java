package palyra.simulation.runtime;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import palyra.simulation.hook.Hooks;

/**
 * A computer of which everything is decided by a seed: which of its threads goes on, what time it
 * is, what random numbers are drawn. Its threads are virtual threads that one real thread carries,
 * one step after the other: a step lasts from one wait to the next. When all wait, time goes on to
 * the next timer. Processes can be killed: none of their threads ever goes on.
 *
 * <p>Used by the thread that runs it and by its own threads; two machines of one JVM run one after
 * the other.
 */
public final class Machine implements Hooks.Source {
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final int MOST_STEP_NANOS = 30_000;

    private record Step(Process process, Runnable continuation) {}

    /** A wait that ends at a time. */
    final class Timer implements Comparable<Timer> {
        private final long at;
        private final long number = ++timersMade;
        private final Runnable command;
        private boolean over;

        Timer(long at, Runnable command) {
            this.at = at;
            this.command = command;
        }

        boolean cancel() {
            boolean was = !over;
            over = true;
            timers.remove(this);
            return was;
        }

        boolean isOver() {
            return over;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** Why a machine stopped. */
    public enum End {
        /** What was waited for has happened. */
        DONE,
        /** Nothing can go on, and no timer is left. */
        DEADLOCK,
        /** Its time was up. */
        TIME,
        /** It made more steps than a story needs: a loop that never waits long. */
        STEPS
    }

    private final SplittableRandom schedule;
    private final SplittableRandom bits;
    private final List<Step> ready = new ArrayList<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final ConcurrentLinkedQueue<String> foreign = new ConcurrentLinkedQueue<>();
    private final Thread carrier = Thread.currentThread();
    private Process running;
    private long nanos = 1_000_000_000L;
    private long wallOffsetMillis;
    private long timersMade;
    private long steps;
    private long hash = 17;

    /** Makes a machine that nothing runs on; the caller is the thread that will run it. */
    public Machine(long seed) {
        SplittableRandom all = new SplittableRandom(seed);
        schedule = all.split();
        bits = all.split();
    }

    /** A program under way: threads that die together. */
    public final class Process implements Executor {
        private final String name;
        private final Thread.Builder threads = builder(this);
        private boolean killed;
        private int made;

        private Process(String name) {
            this.name = name;
        }

        /** Starts a thread. */
        public void start(Runnable task) {
            thread(task).start();
        }

        Thread thread(Runnable task) {
            return threads.name(name + "/" + ++made).unstarted(task);
        }

        /** From now on none of its threads goes on. */
        public void kill() {
            killed = true;
        }

        /** Returns whether it was killed. */
        public boolean isKilled() {
            return killed;
        }

        @Override
        public void execute(Runnable continuation) {
            if (Thread.currentThread() != carrier && !Thread.currentThread().isVirtual()) {
                foreign.add(Thread.currentThread().getName());
            }
            synchronized (ready) {
                if (!killed) {
                    ready.add(new Step(this, continuation));
                }
            }
        }
    }

    /** Makes a process without threads. */
    public Process process(String name) {
        return new Process(name);
    }

    private static Thread.Builder builder(Executor scheduler) {
        try {
            Class<?> type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
            Constructor<?> made = type.getDeclaredConstructor(Executor.class);
            made.setAccessible(true);
            return (Thread.Builder) made.newInstance(scheduler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK makes no virtual threads of ours", e);
        }
    }

    private static void useTimers(Machine machine) {
        try {
            Class<?> type = Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers");
            Field instance = type.getDeclaredField("INSTANCE");
            instance.setAccessible(true);
            Object[] schedulers = (Object[]) instance.get(null);
            if (!(schedulers[0] instanceof Timers)) {
                Arrays.fill(schedulers, new Timers());
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK keeps its timers elsewhere", e);
        }
        Timers.machine = machine;
    }

    /**
     * Runs until something has happened, looked at between two steps.
     *
     * @param most how many nanoseconds of its time at most
     * @param mostSteps how many steps at most
     */
    public End run(BooleanSupplier done, long most, long mostSteps) {
        long until = nanos + most;
        long lastStep = steps + mostSteps;
        useTimers(this);
        Hooks.use(this);
        try {
            while (!done.getAsBoolean()) {
                if (nanos >= until) {
                    return End.TIME;
                }
                if (steps >= lastStep) {
                    return End.STEPS;
                }
                if (!goOn()) {
                    return End.DEADLOCK;
                }
            }
            return End.DONE;
        } finally {
            Hooks.use(null);
            Timers.machine = null;
        }
    }

    private boolean goOn() {
        Step next = next();
        if (next == null) {
            return fire();
        }
        steps++;
        running = next.process();
        hash = hash * 31 + next.process().name.hashCode();
        next.continuation().run();
        running = null;
        nanos += 500 + schedule.nextInt(MOST_STEP_NANOS);
        while (!timers.isEmpty() && timers.peek().at <= nanos) {
            fire();
        }
        return true;
    }

    private Step next() {
        synchronized (ready) {
            while (!ready.isEmpty()) {
                int chosen = schedule.nextInt(ready.size());
                hash = hash * 31 + chosen * 7L + ready.size();
                Step step = ready.get(chosen);
                ready.set(chosen, ready.getLast());
                ready.removeLast();
                if (!step.process().killed) {
                    return step;
                }
            }
            return null;
        }
    }

    private boolean fire() {
        Timer timer = timers.poll();
        if (timer == null) {
            return false;
        }
        nanos = Math.max(nanos, timer.at);
        timer.over = true;
        timer.command.run();
        return true;
    }

    Timer timer(Runnable command, long delay) {
        Timer timer = new Timer(nanos + Math.max(0, delay), command);
        timers.add(timer);
        return timer;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long millis() {
        return START_MILLIS + wallOffsetMillis + nanos / 1_000_000;
    }

    @Override
    public Thread thread(Runnable task) {
        return running.thread(task);
    }

    @Override
    public long bits() {
        return bits.nextLong();
    }

    /** Sets the wall clock forward or back. */
    public void jump(long millis) {
        wallOffsetMillis += millis;
    }

    /** Returns the process whose thread runs now. */
    public Process running() {
        return running;
    }

    /** Returns how many steps were made. */
    public long steps() {
        return steps;
    }

    /** Returns a number that two runs share when they took the same steps at the same times. */
    public long trace() {
        return hash * 31 + nanos;
    }

    /** Returns real threads that meddled: then the seed does not decide everything. */
    public List<String> foreign() {
        return List.copyOf(foreign);
    }
}
