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
 * One engine in a JVM of its own. One request a line on standard input, one answer a line on
 * standard output: {@code {"prepare":TASK}}, {@code {"calls":{"nanos":N}}}, {@code
 * {"fresh":{"nanos":N}}}, {@code {"late":{"count":N,"millis":N}}}; ends with its input.
 */
public final class GuestsMain {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STACK_BYTES = 8 << 20; // as threads of engines have

    private GuestsMain() {}

    /**
     * Serves.
     *
     * @param arguments {@code endive}, {@code wasmtime}, {@code wasmtime-direct} or {@code
     *     chicory}, and an own folder
     */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Thread work =
                new Thread(
                        null,
                        () -> serve(arguments[0], Path.of(arguments[1]), out),
                        "guests",
                        STACK_BYTES);
        work.start();
        work.join();
        System.exit(0);
    }

    private static void serve(String kind, Path folder, PrintStream out) {
        try (Contestant contestant = new Local(kind, guests(kind, folder));
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(JSON.writeValueAsString(answer(contestant, JSON.readTree(line))));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    /** Makes guests of an engine. */
    static Guests guests(String kind, Path folder) {
        return switch (kind) {
            case "endive" -> new SkillGuests(EngineMakers.endive());
            case "wasmtime" -> new SkillGuests(EngineMakers.wasmtime(folder));
            case "wasmtime-direct" -> new WasmtimeGuests();
            case "chicory" -> new ChicoryGuests();
            default -> throw new IllegalArgumentException("there is no engine " + kind);
        };
    }

    private static JsonNode answer(Contestant contestant, JsonNode request) {
        try {
            if (request.has("prepare")) {
                contestant.prepare(Task.of(request.path("prepare")));
                return JsonNodeFactory.instance.objectNode();
            }
            return round(contestant, request).json();
        } catch (InterruptedException | IOException | RuntimeException e) {
            e.printStackTrace();
            return JsonNodeFactory.instance.objectNode().put("error", String.valueOf(e));
        }
    }

    private static Round round(Contestant contestant, JsonNode request)
            throws IOException, InterruptedException {
        if (request.has("late")) {
            JsonNode late = request.path("late");
            return contestant.late(late.path("count").asInt(), late.path("millis").asLong());
        }
        return request.has("fresh")
                ? contestant.fresh(request.path("fresh").path("nanos").asLong())
                : contestant.calls(request.path("calls").path("nanos").asLong());
    }
}
