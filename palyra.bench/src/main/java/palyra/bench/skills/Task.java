package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * A module to call, the input of each call and its limits; sent to engine processes as JSON.
 *
 * @param name of the workload
 * @param module the binary; never changed
 * @param entry function that is called
 * @param input JSON text of each call
 * @param fuel fuel of each call
 * @param granted whether the module may use storage, and gets further grants that it does not use
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
        boolean granted,
        long memoryBytes,
        long timeoutMillis) {
    /** Returns it as JSON. */
    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("module", module)
                .put("entry", entry)
                .put("input", input)
                .put("fuel", fuel)
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
                json.path("granted").asBoolean(),
                json.path("memory_bytes").asLong(),
                json.path("timeout_millis").asLong());
    }
}
