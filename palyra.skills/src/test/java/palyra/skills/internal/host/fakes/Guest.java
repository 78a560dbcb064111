package palyra.skills.internal.host.fakes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.shared.json.StrictJson;

/** Calls host functions as a module does. */
public final class Guest {
    private static final int REQUEST = 1_024;
    private static final int ANSWER = 8 << 20;

    private final List<WasmFunction> functions;
    private final FakeMemory memory = new FakeMemory(20 << 20);

    /** Creates a guest of a host. */
    public Guest(WasmHost host) {
        functions = host.functions();
    }

    /** Returns its memory. */
    public FakeMemory memory() {
        return memory;
    }

    /** Returns whether a function is linked. */
    public boolean has(String name) {
        return functions.stream().anyMatch(each -> each.name().equals(name));
    }

    /** Calls a function. */
    public long call(String name, long... arguments) {
        WasmFunction function =
                functions.stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(name + " is not linked"));
        if (function.parameters().size() != arguments.length) {
            throw new AssertionError(name + " takes " + function.parameters());
        }
        return function.body().call(memory, arguments);
    }

    /** Calls a capability and returns its answer. */
    public JsonNode ask(String capability, String request) {
        int length = memory.text(REQUEST, request);
        int handle = (int) call("host_capability_" + capability, REQUEST, length);
        String answer = read(handle);
        call("buffer_close", handle);
        return StrictJson.parse(answer, "an answer");
    }

    /** Returns a buffer as text. */
    public String read(int handle) {
        int length = (int) call("buffer_len", handle);
        int read = (int) call("buffer_read", handle, 0, ANSWER, length);
        return memory.text(ANSWER, read);
    }

    /** Writes output. */
    public long write(String text) {
        return call("output_write", REQUEST, memory.text(REQUEST, text));
    }

    /** Returns the code of an error; empty for an answer. */
    public static String code(JsonNode answer) {
        return answer.path("error").path("code").asText();
    }

    /** Returns the missing grant of a denial. */
    public static String grant(JsonNode answer) {
        return answer.path("error").path("grant").asText();
    }
}
