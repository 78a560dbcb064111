package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import palyra.bench.report.Latencies;

/**
 * Some calls by one engine, one after the other.
 *
 * @param result the result of every one of them
 * @param calls how many there were
 * @param wallNanos how long all of them took together
 * @param cpuNanos processor time of the engine's processes meanwhile, compilers and collectors
 *     included
 * @param nanos how long single ones took; of many the last ones
 */
@SuppressWarnings("ArrayRecordComponent") // read only
record Round(CallResult result, long calls, long wallNanos, long cpuNanos, long[] nanos) {
    /** Most single durations. */
    static final int MOST = 20_000;

    private static final int MAX_STRETCH = 20;
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Checks. */
    Round {
        if (calls < 1 || nanos.length == 0) {
            throw new IllegalArgumentException("a round has at least one call");
        }
    }

    /** One way to make a call. */
    interface Call {
        CallResult make() throws InterruptedException;
    }

    /**
     * Makes calls for some time, at least one.
     *
     * @throws IllegalStateException when two calls have different results
     */
    static Round of(Call call, long nanos) throws InterruptedException {
        long[] taken = new long[MOST];
        long count = 0;
        long wall = 0;
        CallResult first = null;
        long cpu = totalCpuNanos();
        long started = System.nanoTime();
        do {
            long begun = System.nanoTime();
            CallResult result = call.make();
            long one = System.nanoTime() - begun;
            taken[(int) (count++ % MOST)] = one;
            wall += one;
            first = first == null ? result : first;
            if (!result.equals(first)) {
                throw new IllegalStateException("a call came to " + result + ", not " + first);
            }
        } while (!enough(System.nanoTime() - started, nanos, cpu));
        int kept = (int) Math.min(count, MOST);
        return new Round(first, count, wall, totalCpuNanos() - cpu, Arrays.copyOf(taken, kept));
    }

    /** On a busy machine it goes on until the process has had a fair share of the time. */
    private static boolean enough(long passed, long wanted, long cpuBefore) {
        return passed >= wanted
                && (passed >= MAX_STRETCH * wanted || ownCpuNanos() - cpuBefore >= wanted * 3 / 4);
    }

    /** Of this process and of those that it has started. */
    private static long totalCpuNanos() {
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

    /** Returns how many calls there were in a second by the clock. */
    double perSecond() {
        return calls * SECOND / Math.max(1, wallNanos);
    }

    /** Returns how many calls there were for a second of processor time: what one core can do. */
    double perCoreSecond() {
        return calls * SECOND / Math.max(1, cpuNanos);
    }

    /** Returns how long single calls took. */
    Latencies latencies() {
        Latencies latencies = new Latencies();
        for (long each : nanos) {
            latencies.add(each);
        }
        return latencies;
    }

    /** Returns it as JSON. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("code", result.code()).put("output", result.output());
        json.put("calls", calls).put("wall", wallNanos).put("cpu", cpuNanos);
        ArrayNode list = json.putArray("nanos");
        for (long each : nanos) {
            list.add(each);
        }
        return json;
    }

    /** Reads what {@link #json} wrote. */
    static Round of(JsonNode json) {
        return new Round(
                new CallResult(json.path("code").asInt(), json.path("output").asText()),
                json.path("calls").asLong(),
                json.path("wall").asLong(),
                json.path("cpu").asLong(),
                json.path("nanos").valueStream().mapToLong(JsonNode::asLong).toArray());
    }
}
