package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * A module that is called again and again, as it is told to other processes.
 *
 * @param name of the workload
 * @param module the binary; never changed
 * @param entry function that is called
 * @param input JSON text of each call
 * @param fuel fuel of each call
 * @param metered whether the module counts that fuel itself, because admission wrote it anew
 * @param granted whether the module may use storage and imports more that it does not use
 * @param memoryBytes most memory of an instance
 * @param timeoutMillis time of each call
 */
@SuppressWarnings("ArrayRecordComponent") // read only
record Task(
        String name,
        byte[] module,
        String entry,
        String input,
        long fuel,
        boolean metered,
        boolean granted,
        long memoryBytes,
        long timeoutMillis) {
    /** Returns what tells it from others. */
    String key() {
        return name + (metered ? "-metered" : "");
    }

    /** Returns it as JSON. */
    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("module", module)
                .put("entry", entry)
                .put("input", input)
                .put("fuel", fuel)
                .put("metered", metered)
                .put("granted", granted)
                .put("memory_bytes", memoryBytes)
                .put("timeout_millis", timeoutMillis);
    }

    /** Reads what {@link #json} wrote. */
    static Task of(JsonNode json) throws IOException {
        return new Task(
                json.path("name").asText(),
                json.path("module").binaryValue(),
                json.path("entry").asText(),
                json.path("input").asText(),
                json.path("fuel").asLong(),
                json.path("metered").asBoolean(),
                json.path("granted").asBoolean(),
                json.path("memory_bytes").asLong(),
                json.path("timeout_millis").asLong());
    }
}
