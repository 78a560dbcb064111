package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.console.Block;
import palyra.api.console.ConsolePanel;
import palyra.api.console.Level;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.api.core.command.CommandResult;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.panel.RecordsItself;

/** A panel that renders what commands say. */
abstract class CommandPanel implements ConsolePanel, RecordsItself {
    /** The topic of what nothing tells the changes of: the page is loaded again now and then. */
    static final String TIME = "time";

    private final PanelSpec spec;
    private final Commands commands;

    CommandPanel(PanelSpec spec, Commands commands) {
        this.spec = spec;
        this.commands = commands;
    }

    @Override
    public final PanelSpec spec() {
        return spec;
    }

    /** Runs a command and returns its document. */
    final JsonNode ask(Principal reader, CommandWords words) {
        return commands.ask(reader, words);
    }

    /** Runs a command with a file as its input and returns its document. */
    final JsonNode ask(Principal reader, byte[] input, CommandWords words) {
        return commands.ask(reader, input, words);
    }

    /** Runs a command that writes a document a line. */
    final List<JsonNode> lines(Principal reader, CommandWords words) {
        return commands.lines(reader, words);
    }

    /** Runs a command that changes something and returns what it said, for people. */
    final PanelResult change(
            PanelSubmission submission, String input, String path, CommandWords words) {
        return outcome(commands.run(submission.principal(), input, words), path, words);
    }

    /** Runs a command that changes something with a file, and returns what it said. */
    final PanelResult change(
            PanelSubmission submission, byte[] input, String path, CommandWords words) {
        return outcome(commands.run(submission.principal(), input, words), path, words);
    }

    private static PanelResult outcome(CommandResult result, String path, CommandWords words) {
        boolean good = result.exitCode() == 0;
        String said = good ? "" : result.error().strip();
        return new PanelResult(
                good ? Level.GOOD : Level.WARNING,
                said.isEmpty() ? words.name() + (good ? ": done." : ": not done.") : said,
                path);
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

    /** Returns the blocks, or a notice in their place when the command refuses. */
    static List<Block> orNotice(Supplier<List<Block>> blocks) {
        try {
            return blocks.get();
        } catch (PalyraException e) {
            return List.of(new Block.Notice(Level.WARNING, e.getMessage(), ""));
        }
    }
}
