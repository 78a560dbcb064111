package palyra.deploy.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;

/** {@code deploy unpin PIN}: removes a pin that was made by command. */
final class DeployUnpinCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "deploy unpin",
                    "Removes a pin; bundles that only it covered are withdrawn",
                    "A pin of the configuration is removed there.",
                    List.of(),
                    List.of(
                            PositionalSpec.required(
                                    "PIN", "As listed by palyra deploy pins, or a digest alone")),
                    PinStore.UNPIN,
                    false);

    private final PinStore pins;
    private final Supplier<List<String>> configured;
    private final Runnable changed;

    /**
     * @param configured the configured lines
     * @param changed runs after a change of the pins
     */
    DeployUnpinCommand(PinStore pins, Supplier<List<String>> configured, Runnable changed) {
        this.pins = pins;
        this.configured = configured;
        this.changed = changed;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String text = context.arguments().positional(0).orElse("");
        Pin pin =
                Pin.parseArgument(text)
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.INVALID_ARGUMENT,
                                                "'"
                                                        + text
                                                        + "' is not a pin; list the pins with"
                                                        + " palyra deploy pins."));
        List<PinSet.Entry> stored = pins.load();
        boolean inConfiguration = new PinSet(configured.get(), List.of()).entry(pin).isPresent();
        if (stored.stream().noneMatch(entry -> entry.pin().equals(pin))) {
            throw new PalyraException(
                    inConfiguration ? ErrorCode.CONFLICT : ErrorCode.NOT_FOUND,
                    inConfiguration
                            ? pin + " is in the configuration of palyra.deploy; remove it there."
                            : pin + " is not pinned; list the pins with palyra deploy pins.");
        }
        pins.remove(context.principal(), pin);
        changed.run();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("unpinned", pin.toString());
        context.output().fields(fields);
        if (inConfiguration) {
            context.output().note("It is also in the configuration, so it stays in force.");
        }
        return ExitCodes.OK;
    }
}
