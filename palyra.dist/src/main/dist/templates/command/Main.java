package @name@.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/** {@code @word@ greet NAME}. Replace it with what yours does. */
@Component(service = Command.class, immediate = true)
public final class @Class@Command implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "@word@ greet", // one or two words, the first your own
                    "Greets a person.",
                    "",
                    List.of(OptionSpec.flag("loud", "Greet in capitals")),
                    List.of(PositionalSpec.required("NAME", "Whom to greet")),
                    "extension.@word@", // the action that policies decide about
                    false); // whether it changes anything; each use is recorded first then

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String greeting = "Hello, " + context.arguments().positionals().get(0);
        boolean loud = context.arguments().flag("loud");
        context.output()
                .fields(Map.of("greeting", loud ? greeting.toUpperCase(Locale.ROOT) : greeting));
        return ExitCodes.OK;
    }
}
