package palyra.shell.internal.host;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/** Whether a contributed command can be offered. */
final class SpecCheck {
    /** Options that every command has. */
    static final Set<String> RESERVED = Set.of("help", "json", "verbose");

    private SpecCheck() {}

    /** Returns the fault of a spec; empty when it is usable. */
    static Optional<String> problem(CommandSpec spec) {
        if (spec == null) {
            return Optional.of("it has no spec");
        }
        if (!spec.action().matches("[a-z]+(\\.[a-z_]+)*")) {
            return Optional.of("its action '" + spec.action() + "' is no name of an action");
        }
        return options(spec.options()).or(() -> positionals(spec.positionals()));
    }

    private static Optional<String> options(List<OptionSpec> options) {
        Set<String> seen = new HashSet<>();
        for (OptionSpec option : options) {
            if (RESERVED.contains(option.name())) {
                return Optional.of("its option --" + option.name() + " belongs to every command");
            }
            if (!seen.add(option.name())) {
                return Optional.of("its option --" + option.name() + " is declared twice");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> positionals(List<PositionalSpec> positionals) {
        boolean optionalSeen = false;
        for (int i = 0; i < positionals.size(); i++) {
            PositionalSpec positional = positionals.get(i);
            if (positional.required() && optionalSeen) {
                return Optional.of(
                        "its argument "
                                + positional.name()
                                + " must be given but follows one that need not");
            }
            if (positional.repeated() && i < positionals.size() - 1) {
                return Optional.of(
                        "its argument "
                                + positional.name()
                                + " takes the rest but is not the last");
            }
            optionalSeen |= !positional.required();
        }
        return Optional.empty();
    }
}
