package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.console.Block;
import palyra.api.console.ConsolePanel;
import palyra.api.console.Level;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.command.CommandRunner.CommandExecution;
import palyra.api.core.command.CommandRunner.Limits;
import palyra.console.internal.panel.RecordsItself;
import palyra.shared.gate.Gate;

/** A panel that renders what commands say. */
abstract class CommandPanel implements ConsolePanel, RecordsItself {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Exit codes up to this one come with a document: the answer of a check may be no. */
    private static final int ANSWERED = 1;

    private final PanelSpec spec;
    private final Gate<CommandRunner> commands;

    CommandPanel(PanelSpec spec, Gate<CommandRunner> commands) {
        this.spec = spec;
        this.commands = commands;
    }

    @Override
    public final PanelSpec spec() {
        return spec;
    }

    /** Runs a command and returns its document. */
    final JsonNode ask(Principal reader, CommandWords words) {
        CommandResult result = run(reader, "", words);
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
    final List<JsonNode> lines(Principal reader, CommandWords words) {
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

    /** Returns a form that runs a command. */
    static Block.Form button(
            String id, String label, String action, String confirm, Block.Field... fields) {
        return new Block.Form(id, label, action, "", confirm, false, List.of(fields));
    }

    /** Returns a form that asks for a factor again. */
    static Block.Form sensitive(
            String id, String label, String action, String confirm, Block.Field... fields) {
        return new Block.Form(id, label, action, "", confirm, true, List.of(fields));
    }

    /** Returns an optional field of one line. */
    static Block.Field optional(String name, String label, String help) {
        return new Block.Field(name, label, Block.FieldKind.LINE, "", List.of(), help, false);
    }

    /** Returns a required choice. */
    static Block.Field choice(String name, String label, List<String> options) {
        return new Block.Field(
                name,
                label,
                Block.FieldKind.CHOICE,
                options.isEmpty() ? "" : options.get(0),
                options,
                "",
                true);
    }

    /** Runs a command with input, such as a secret, which is never an argument. */
    final CommandResult run(Principal reader, String input, CommandWords words) {
        CommandExecution execution =
                commands.call(
                        runner ->
                                runner.start(
                                        reader,
                                        words.argv(),
                                        input.getBytes(StandardCharsets.UTF_8),
                                        Limits.USUAL));
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

    /** Runs a command that changes something and returns what it said, for people. */
    final PanelResult change(
            PanelSubmission submission, String input, String path, CommandWords words) {
        CommandResult result = run(submission.principal(), input, words);
        boolean good = result.exitCode() == 0;
        String said = good ? "" : result.error().strip();
        return new PanelResult(
                good ? Level.GOOD : Level.WARNING,
                said.isEmpty() ? words.name() + (good ? ": done." : ": not done.") : said,
                path);
    }

    /** Returns the blocks, or a notice in their place when the command refuses. */
    static List<Block> orNotice(Supplier<List<Block>> blocks) {
        try {
            return blocks.get();
        } catch (PalyraException e) {
            return List.of(new Block.Notice(Level.WARNING, e.getMessage(), ""));
        }
    }
}
