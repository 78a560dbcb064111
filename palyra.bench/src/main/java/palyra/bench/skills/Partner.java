package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An engine in another process, which is asked as {@link GuestsMain} says. */
final class Partner implements Contestant {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long STOP_SECONDS = 20;
    private static final int MOST_SHOWN = 2_000;

    private final String name;
    private final Process process;
    private final Path errors;
    private final Writer questions;
    private final BufferedReader answers;

    /** Starts the process; what it prints to standard error goes to a file. */
    Partner(String name, List<String> command, Path folder, Path errors) throws IOException {
        this.name = name;
        this.errors = errors;
        this.process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile())
                        .start();
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void prepare(Task task) throws IOException {
        ask(question("prepare", task.json()));
    }

    @Override
    public Round calls(long nanos) throws IOException {
        return Round.of(ask(question("calls", number("nanos", nanos))));
    }

    @Override
    public Round fresh(long nanos) throws IOException {
        return Round.of(ask(question("fresh", number("nanos", nanos))));
    }

    @Override
    public Round late(int count, long deadlineMillis) throws IOException {
        ObjectNode late = number("millis", deadlineMillis).put("count", count);
        return Round.of(ask(question("late", late)));
    }

    private static ObjectNode question(String what, ObjectNode content) {
        return JsonNodeFactory.instance.objectNode().set(what, content);
    }

    private static ObjectNode number(String key, long value) {
        return JsonNodeFactory.instance.objectNode().put(key, value);
    }

    private JsonNode ask(JsonNode question) throws IOException {
        try {
            questions.write(JSON.writeValueAsString(question) + "\n");
            questions.flush();
        } catch (IOException e) {
            throw new IOException(name + " has ended: " + said(), e);
        }
        String line = answers.readLine();
        if (line == null) {
            throw new IOException(name + " has ended: " + said());
        }
        JsonNode answer = JSON.readTree(line);
        if (answer.has("error")) {
            throw new IOException(name + " failed: " + answer.path("error").asText() + said());
        }
        return answer;
    }

    private String said() throws IOException {
        String text = Files.readString(errors).strip();
        return " " + (text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text);
    }

    /** Ends its input, which lets it end by itself. */
    @Override
    public void close() {
        try {
            questions.close();
        } catch (IOException e) {
            process.destroyForcibly(); // it has ended, or is about to
        }
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
