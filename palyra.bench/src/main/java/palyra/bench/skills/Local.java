package palyra.bench.skills;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** An engine in this JVM, with a clock beside it. */
record Local(String name, Guests guests) implements Contestant {
    private static final Answer NONE = new Answer(0, "");
    private static final int MOST_PATIENT = 20;

    /** One way to make a call. */
    interface Call {
        Answer make() throws InterruptedException;
    }

    @Override
    public void prepare(Task task) throws IOException {
        guests.prepare(task);
    }

    @Override
    public Round calls(long nanos) throws InterruptedException {
        return round(guests::call, nanos);
    }

    @Override
    public Round fresh(long nanos) throws InterruptedException {
        return round(guests::fresh, nanos);
    }

    /** Makes calls for so long, at least one; all must come to the same. */
    static Round round(Call call, long nanos) throws InterruptedException {
        long[] taken = new long[Round.MOST];
        long count = 0;
        long wall = 0;
        Answer first = null;
        long cpu = cpuNanos();
        long started = System.nanoTime();
        do {
            long begun = System.nanoTime();
            Answer answer = call.make();
            long one = System.nanoTime() - begun;
            taken[(int) (count++ % Round.MOST)] = one;
            wall += one;
            first = first == null ? answer : first;
            if (!answer.equals(first)) {
                throw new IllegalStateException("a call came to " + answer + ", not " + first);
            }
        } while (!enough(System.nanoTime() - started, nanos, cpu));
        int kept = (int) Math.min(count, Round.MOST);
        return new Round(first, count, wall, cpuNanos() - cpu, Arrays.copyOf(taken, kept));
    }

    /** On a busy machine it goes on until the process has had a fair part of the time. */
    private static boolean enough(long passed, long wanted, long cpuBefore) {
        return passed >= wanted
                && (passed >= MOST_PATIENT * wanted || ownCpuNanos() - cpuBefore >= wanted * 3 / 4);
    }

    /** Of this process and of those that it has started. */
    private static long cpuNanos() {
        return ownCpuNanos()
                + ProcessHandle.current()
                        .descendants()
                        .flatMap(each -> each.info().totalCpuDuration().stream())
                        .mapToLong(Duration::toNanos)
                        .sum();
    }

    private static long ownCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    @Override
    public Round late(int count, long deadlineMillis) throws InterruptedException {
        long[] late = new long[count];
        long from = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            guests.expire(deadlineMillis);
            late[i] = System.nanoTime() - begun - TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
        }
        return new Round(NONE, count, System.nanoTime() - from, 0, late);
    }

    @Override
    public void close() {
        guests.close();
    }
}
