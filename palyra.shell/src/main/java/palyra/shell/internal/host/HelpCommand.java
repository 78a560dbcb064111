package palyra.shell.internal.host;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;

/** {@code help [COMMAND]}. */
final class HelpCommand implements Command {
    private final CommandRegistry registry;

    HelpCommand(CommandRegistry registry) {
        this.registry = registry;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "help",
                "Lists the commands, or explains one.",
                "",
                List.of(),
                List.of(
                        new PositionalSpec(
                                "COMMAND", "The one or two words of a command", false, true)),
                "command.help",
                false);
    }

    @Override
    public int run(CommandContext context) {
        List<String> words = context.arguments().positionals();
        if (words.isEmpty()) {
            Help.list(registry.specs(), context.json(), context.output());
            return ExitCodes.OK;
        }
        if (words.size() == 1 && registry.find(words.get(0)).isEmpty()) {
            List<CommandSpec> group =
                    registry.specs().stream()
                            .filter(spec -> spec.name().startsWith(words.get(0) + " "))
                            .toList();
            if (!group.isEmpty()) {
                Help.list(group, context.json(), context.output());
                return ExitCodes.OK;
            }
        }
        CommandLine line = CommandLine.of(words, registry);
        if (line.offer() == null) {
            Help.list(registry.specs(), context.json(), context.output());
        } else {
            Help.explain(line.offer().spec(), context.json(), context.output());
        }
        return ExitCodes.OK;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index > 0
                ? List.of()
                : registry.firstWords().stream().filter(word -> word.startsWith(prefix)).toList();
    }
}
