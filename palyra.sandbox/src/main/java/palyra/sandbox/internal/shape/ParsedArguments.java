package palyra.sandbox.internal.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The arguments of a command, parsed by its command row: each option under one spelling, whether it
 * stood alone or in a cluster, and whether its value followed it or was glued to it. Options are
 * never abbreviated here; abbreviated and unknown options are not parsed.
 *
 * @param options options, with values where the value counts
 * @param narrowing options that make the command do less
 * @param operands everything else
 * @param endsOptions whether {@code --} occurs
 */
record ParsedArguments(
        Set<String> options, Set<String> narrowing, List<String> operands, boolean endsOptions) {
    /** Reads arguments; empty when one of them is not known. */
    static Optional<ParsedArguments> of(CommandRow row, List<String> arguments) {
        Reader reader = new Reader(row, arguments);
        return reader.read() ? Optional.of(reader.reading()) : Optional.empty();
    }

    /** Goes over the arguments from left to right. */
    private static final class Reader {
        private final CommandRow row;
        private final List<String> arguments;
        private final Set<String> options = new TreeSet<>();
        private final Set<String> narrowing = new TreeSet<>();
        private final List<String> operands = new ArrayList<>();
        private boolean endsOptions;
        private int at;

        Reader(CommandRow row, List<String> arguments) {
            this.row = row;
            this.arguments = arguments;
        }

        boolean read() {
            for (at = 0; at < arguments.size(); at++) {
                if (!argument(arguments.get(at))) {
                    return false;
                }
            }
            return true;
        }

        ParsedArguments reading() {
            return new ParsedArguments(
                    Set.copyOf(options), Set.copyOf(narrowing), List.copyOf(operands), endsOptions);
        }

        private boolean argument(String argument) {
            boolean format = row.operands() == CommandRow.Operands.FORMAT;
            if (endsOptions || argument.length() < 2 || !argument.startsWith("-")) {
                if (format && argument.startsWith("+") && !endsOptions) {
                    return add(argument, argument);
                }
                operands.add(argument);
                return true;
            }
            if (argument.equals("--")) {
                endsOptions = true;
                return true;
            }
            if (argument.startsWith("--")) {
                return longOption(argument);
            }
            return row.clusters() ? cluster(argument) : single(argument);
        }

        private boolean longOption(String argument) {
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (row.optional().contains(name)) {
                return add(name, argument);
            }
            if (row.flags().contains(name)) {
                return equals < 0 && add(name, name);
            }
            Optional<String> glued =
                    equals < 0 ? Optional.empty() : Optional.of(argument.substring(equals + 1));
            return valued(name, glued);
        }

        private boolean cluster(String argument) {
            for (int i = 1; i < argument.length(); i++) {
                String name = "-" + argument.charAt(i);
                if (row.flags().contains(name)) {
                    add(name, name);
                    continue;
                }
                String rest = argument.substring(i + 1);
                return valued(name, rest.isEmpty() ? Optional.empty() : Optional.of(rest));
            }
            return true;
        }

        /** Options of programs that have no clusters: alone, or one letter with a glued value. */
        private boolean single(String argument) {
            if (row.flags().contains(argument)) {
                return add(argument, argument);
            }
            if (argument.length() == 2 || takesValue(argument)) {
                return valued(argument, Optional.empty());
            }
            return valued(argument.substring(0, 2), Optional.of(argument.substring(2)));
        }

        private boolean takesValue(String name) {
            return row.free().contains(name) || row.valued().contains(name);
        }

        private boolean valued(String name, Optional<String> glued) {
            if (!takesValue(name) || (glued.isEmpty() && at + 1 >= arguments.size())) {
                return false;
            }
            String value = glued.isPresent() ? glued.get() : arguments.get(++at);
            if (!PlainText.isValue(value)) {
                return false;
            }
            return add(name, row.free().contains(name) ? name : name + "=" + value);
        }

        private boolean add(String name, String shown) {
            (row.narrowing().contains(name) ? narrowing : options).add(shown);
            return PlainText.isValue(shown);
        }
    }
}
