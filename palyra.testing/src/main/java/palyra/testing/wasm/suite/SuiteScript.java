package palyra.testing.wasm.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A script of the suite as {@code wast2json} of wabt writes it: modules as files, and commands.
 *
 * @param name name of the script, without a suffix
 * @param folder where its modules are
 * @param commands its commands in order
 */
public record SuiteScript(String name, Path folder, List<Command> commands) {
    /**
     * One command.
     *
     * @param type such as {@code module}, {@code assert_return}, {@code assert_trap}
     * @param line line in the script
     * @param module name of the module that it makes or acts on; empty for the last one
     * @param file file of the module that it brings; empty when it brings none
     * @param text whether that file is text, which is nothing for an engine
     * @param kind {@code invoke} a function or {@code get} a global; empty without an action
     * @param field export that the action names
     * @param arguments what the function is given
     * @param expected what comes back
     */
    public record Command(
            String type,
            int line,
            String module,
            String file,
            boolean text,
            String kind,
            String field,
            List<Value> arguments,
            List<Value> expected) {}

    /**
     * A number, or a pattern.
     *
     * @param type {@code i32}, {@code i64}, {@code f32}, {@code f64}, or another one
     * @param value its bits as an unsigned decimal number; {@code nan:canonical} or {@code
     *     nan:arithmetic} for any such NaN
     */
    public record Value(String type, String value) {
        /** Returns whether it is of one of the four number types of WebAssembly 1.0. */
        boolean number() {
            return type.matches("[if](32|64)");
        }

        long bits() {
            return Long.parseUnsignedLong(value);
        }
    }

    /** Reads what {@code wast2json} wrote. */
    static SuiteScript read(String name, Path json) throws IOException {
        List<Command> commands = new ArrayList<>();
        for (JsonNode each : new ObjectMapper().readTree(Files.readString(json)).get("commands")) {
            JsonNode action = each.path("action");
            commands.add(
                    new Command(
                            each.get("type").asText(),
                            each.get("line").asInt(),
                            action.isMissingNode()
                                    ? each.path("name").asText("")
                                    : action.path("module").asText(""),
                            each.path("filename").asText(""),
                            each.path("module_type").asText("binary").equals("text"),
                            action.path("type").asText(""),
                            action.path("field").asText(""),
                            values(action.path("args")),
                            values(each.path("expected"))));
        }
        return new SuiteScript(name, json.getParent(), List.copyOf(commands));
    }

    private static List<Value> values(JsonNode list) {
        List<Value> values = new ArrayList<>();
        list.forEach(
                each ->
                        values.add(
                                new Value(
                                        each.get("type").asText(), each.path("value").asText(""))));
        return List.copyOf(values);
    }

    /** Returns the bytes of a module. */
    byte[] bytes(Command command) throws IOException {
        return Files.readAllBytes(folder.resolve(command.file()));
    }
}
