package palyra.shell.internal.fakes;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/** A command made of a spec and a body. */
public record TestCommand(CommandSpec spec, Body body) implements Command {
    /** What the command does. */
    @FunctionalInterface
    public interface Body {
        int run(CommandContext context) throws Exception;
    }

    public static TestCommand of(String name, Body body) {
        return of(name, false, body, List.of(), List.of());
    }

    /** Returns a command that asks for an action of its own. */
    public static TestCommand asking(String name, String action, Body body) {
        return of(name, action, false, body, List.of(), List.of());
    }

    public static TestCommand of(
            String name,
            boolean mutating,
            Body body,
            List<OptionSpec> options,
            List<PositionalSpec> positionals) {
        return of(name, "extension.command", mutating, body, options, positionals);
    }

    private static TestCommand of(
            String name,
            String action,
            boolean mutating,
            Body body,
            List<OptionSpec> options,
            List<PositionalSpec> positionals) {
        return new TestCommand(
                new CommandSpec(
                        name, "Does " + name + ".", "", options, positionals, action, mutating),
                body);
    }

    @Override
    public int run(CommandContext context) throws Exception {
        return body.run(context);
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return List.of("alpha", "beta");
    }
}
