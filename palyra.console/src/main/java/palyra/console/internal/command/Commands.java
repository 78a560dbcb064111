package palyra.console.internal.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.command.CommandRunner.CommandExecution;
import palyra.api.core.command.CommandRunner.Limits;
import palyra.shared.gate.Gate;

/** Runs commands and reads their documents. Thread-safe. */
public final class Commands {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Exit codes up to this one come with a document: the answer of a check may be no. */
    private static final int ANSWERED = 1;

    private final Gate<CommandRunner> runner;

    /** Creates the client over the seam to the shell. */
    public Commands(Gate<CommandRunner> runner) {
        this.runner = runner;
    }

    /** Runs a command and returns its document. */
    public JsonNode ask(Principal reader, CommandWords words) {
        return document(run(reader, "", words), words);
    }

    private static JsonNode document(CommandResult result, CommandWords words) {
        String text = result.text().strip();
        if (result.truncated()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    words.name() + " says more than this page shows; use the command.");
        }
        try {
            return text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(words.name() + " wrote no JSON", e);
        }
    }

    /** Runs a command that writes a document a line. */
    public List<JsonNode> lines(Principal reader, CommandWords words) {
        CommandResult result = run(reader, "", words);
        List<JsonNode> documents = new ArrayList<>();
        for (String line : result.text().split("\n")) {
            try {
                if (!line.isBlank()) {
                    documents.add(JSON.readTree(line));
                }
            } catch (JsonProcessingException e) {
                break; // the last line may be cut off at the bound
            }
        }
        return documents;
    }

    /** Runs a command with input and returns its document. */
    public JsonNode ask(Principal reader, byte[] input, CommandWords words) {
        return document(run(reader, input, words), words);
    }

    /** Runs a command with input, such as a secret, which is never an argument. */
    public CommandResult run(Principal reader, String input, CommandWords words) {
        return run(reader, input.getBytes(StandardCharsets.UTF_8), words);
    }

    /** Runs a command with input, such as a jar. */
    public CommandResult run(Principal reader, byte[] input, CommandWords words) {
        CommandExecution execution =
                runner.call(service -> service.start(reader, words.argv(), input, Limits.USUAL));
        CommandResult result = execution.await();
        if (result.exitCode() > ANSWERED || refused(result)) {
            throw refusal(result, words);
        }
        return result;
    }

    /** A refusal has no document, and says so on standard error. */
    private static boolean refused(CommandResult result) {
        return result.exitCode() != 0 && result.output().length == 0;
    }

    private static PalyraException refusal(CommandResult result, CommandWords words) {
        try {
            JsonNode error = JSON.readTree(result.error()).path("error");
            if (error.has("message")) {
                return new PalyraException(
                        code(error.path("code").asText()), error.path("message").asText());
            }
        } catch (JsonProcessingException e) {
            // a line for people
        }
        String said = result.error().strip();
        return new PalyraException(
                ErrorCode.INTERNAL,
                said.isEmpty() ? words.name() + " ended with " + result.exitCode() + "." : said);
    }

    private static ErrorCode code(String name) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.name().equals(name))
                .findFirst()
                .orElse(ErrorCode.INTERNAL);
    }
}
