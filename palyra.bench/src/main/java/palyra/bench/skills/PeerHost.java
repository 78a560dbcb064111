package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import palyra.api.core.wasm.WasmModule;

/**
 * As much of {@code docs/skill-abi.md} as the modules of the benchmarks use, for peers in Java:
 * buffers, output, and storage that begins empty with each call. Functions are made once; what one
 * call needs is reset by {@link #begin}.
 */
final class PeerHost {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] CONTEXT =
            "{\"abi\":1,\"attempt\":1,\"call\":\"c\",\"skill\":\"bench\",\"tool\":\"bench\"}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final int FIRST = 2;

    private final String input;
    private final Map<Integer, byte[]> buffers = new HashMap<>();
    private final Map<String, String> stored = new HashMap<>();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private int next;

    /** Memory of a module. */
    interface Memory {
        byte[] read(int address, int length);

        void write(int address, byte[] content, int from, int length);
    }

    /** A function of the host; its result counts when its type has one. */
    interface Body {
        long call(Memory memory, long[] arguments);
    }

    PeerHost(String input) {
        this.input = input;
    }

    /** Forgets the call before. */
    void begin() {
        buffers.clear();
        buffers.put(0, input.getBytes(StandardCharsets.UTF_8));
        buffers.put(1, CONTEXT);
        stored.clear();
        output.reset();
        next = FIRST;
    }

    /** Returns what was written. */
    String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    /** Returns what a function does; one that no benchmark calls throws. */
    Body body(String name) {
        return switch (name) {
            case "palyra.buffer_len" -> (memory, all) -> length((int) all[0]);
            case "palyra.buffer_read" -> this::read;
            case "palyra.buffer_close" ->
                    (memory, all) -> buffers.remove((int) all[0]) == null ? -1 : 0;
            case "palyra.output_write" ->
                    (memory, all) -> {
                        output.writeBytes(memory.read((int) all[0], (int) all[1]));
                        return 0;
                    };
            case "palyra.host_capability_storage_get" ->
                    (memory, all) -> open(get(request(memory, all)));
            case "palyra.host_capability_storage_put" ->
                    (memory, all) -> open(put(request(memory, all)));
            case WasmModule.METER + "." + WasmModule.GROW -> (memory, all) -> 0;
            default ->
                    (memory, all) -> {
                        throw new IllegalStateException("no benchmark calls " + name);
                    };
        };
    }

    private long length(int handle) {
        byte[] content = buffers.get(handle);
        return content == null ? -1 : content.length;
    }

    private long read(Memory memory, long[] arguments) {
        byte[] content = buffers.get((int) arguments[0]);
        if (content == null) {
            return -1;
        }
        int from = Math.min((int) arguments[1], content.length);
        int to = Math.min(from + (int) arguments[3], content.length);
        memory.write((int) arguments[2], content, from, to - from);
        return to - from;
    }

    private static JsonNode request(Memory memory, long[] arguments) {
        try {
            return JSON.readTree(memory.read((int) arguments[0], (int) arguments[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode get(JsonNode request) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        String value = stored.get(request.path("key").asText());
        if (value == null) {
            answer.putObject("error").put("code", "not_found").put("message", "nothing there");
            return answer;
        }
        return answer.put("value", value).put("version", 1);
    }

    private ObjectNode put(JsonNode request) {
        stored.put(request.path("key").asText(), request.path("value").asText());
        return JsonNodeFactory.instance.objectNode().put("version", 1);
    }

    private long open(ObjectNode answer) {
        byte[] content = answer.toString().getBytes(StandardCharsets.UTF_8);
        buffers.put(next, content);
        return next++;
    }
}
