package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.TimeUnit;
import palyra.bench.report.Latencies;

/**
 * Some calls by one engine, one after the other.
 *
 * @param answer what every one of them came to
 * @param calls how many there were
 * @param wallNanos how long all of them took together
 * @param cpuNanos processor time of the engine's processes meanwhile, compilers and collectors
 *     included
 * @param nanos how long single ones took; of many the last ones
 */
@SuppressWarnings("ArrayRecordComponent") // read only
record Round(Answer answer, long calls, long wallNanos, long cpuNanos, long[] nanos) {
    /** Most single durations. */
    static final int MOST = 20_000;

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Checks. */
    Round {
        if (calls < 1 || nanos.length == 0) {
            throw new IllegalArgumentException("a round has at least one call");
        }
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
        json.put("code", answer.code()).put("output", answer.output());
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
                new Answer(json.path("code").asInt(), json.path("output").asText()),
                json.path("calls").asLong(),
                json.path("wall").asLong(),
                json.path("cpu").asLong(),
                json.path("nanos").valueStream().mapToLong(JsonNode::asLong).toArray());
    }
}
