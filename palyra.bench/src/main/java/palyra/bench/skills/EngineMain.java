package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * One engine in a JVM of its own. Reads one request a line from standard input and writes one
 * response a line to standard output: {@code {"prepare":TASK}}, {@code {"calls":{"nanos":N}}}; ends
 * with its input.
 */
public final class EngineMain {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STACK_BYTES = 8 << 20; // as threads of engines have

    private EngineMain() {}

    /**
     * Serves; the arguments are {@code endive} or {@code wasmtime}, and the engine's own folder.
     */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Thread work =
                new Thread(
                        null,
                        () -> serve(arguments[0], Path.of(arguments[1]), out),
                        "engine",
                        STACK_BYTES);
        work.start();
        work.join();
        System.exit(0);
    }

    private static void serve(String kind, Path folder, PrintStream out) {
        try (SkillEngine engine = engine(kind, folder);
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(JSON.writeValueAsString(respond(engine, JSON.readTree(line))));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static SkillEngine engine(String kind, Path folder) {
        return switch (kind) {
            case "endive" -> new SkillEngine(EngineMakers.endive());
            case "wasmtime" -> new SkillEngine(EngineMakers.wasmtime(folder));
            default -> throw new IllegalArgumentException("unknown engine: " + kind);
        };
    }

    private static JsonNode respond(SkillEngine engine, JsonNode request) {
        try {
            if (request.has("prepare")) {
                engine.prepare(Task.of(request.path("prepare")));
                return JsonNodeFactory.instance.objectNode();
            }
            return Round.of(engine::call, request.path("calls").path("nanos").asLong()).json();
        } catch (InterruptedException | IOException | RuntimeException e) {
            e.printStackTrace();
            return JsonNodeFactory.instance.objectNode().put("error", String.valueOf(e));
        }
    }
}
