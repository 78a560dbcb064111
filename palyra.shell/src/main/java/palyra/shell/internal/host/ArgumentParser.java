package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.text.Nearest;

/**
 * Checks an argument list against a spec. Every error is one sentence with the given and the
 * expected value and, if there is a similar name, a suggestion. One instance parses one list.
 */
final class ArgumentParser {
    private final CommandSpec spec;
    private final Map<String, OptionSpec> known = new LinkedHashMap<>();
    private final Map<String, List<String>> options = new HashMap<>();
    private final List<String> positionals = new ArrayList<>();
    private boolean help;
    private boolean json;
    private boolean verbose;

    private ArgumentParser(CommandSpec spec) {
        this.spec = spec;
        spec.options().forEach(option -> known.put(option.name(), option));
    }

    /**
     * Parses what follows the command's name.
     *
     * @throws PalyraException INVALID_ARGUMENT
     */
    static ParsedLine parse(CommandSpec spec, List<String> arguments) {
        ArgumentParser parser = new ArgumentParser(spec);
        parser.readAll(arguments);
        if (!parser.help) {
            parser.checkPositionals();
        }
        return new ParsedLine(
                new CommandArguments(parser.options, parser.positionals),
                parser.help,
                parser.json,
                parser.verbose);
    }

    private void readAll(List<String> arguments) {
        int at = 0;
        while (at < arguments.size()) {
            String word = arguments.get(at);
            if (word.equals("--")) {
                positionals.addAll(arguments.subList(at + 1, arguments.size()));
                return;
            }
            at += word.startsWith("-") && word.length() > 1 ? option(arguments, at) : plain(word);
        }
    }

    private int plain(String word) {
        positionals.add(word);
        return 1;
    }

    /** Takes the option at {@code at}; returns how many words it used. */
    private int option(List<String> arguments, int at) {
        String word = arguments.get(at);
        if (word.equals("-h")) {
            help = true;
            return 1;
        }
        if (word.equals("-v")) {
            verbose = true;
            return 1;
        }
        if (!word.startsWith("--")) {
            throw wrong(
                    "does not know the option "
                            + word
                            + ": options begin with two dashes; put -- before an argument that"
                            + " begins with a dash");
        }
        int equals = word.indexOf('=');
        String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
        String attached = equals < 0 ? null : word.substring(equals + 1);
        if (SpecCheck.RESERVED.contains(name)) {
            common(name, attached);
            return 1;
        }
        OptionSpec option = known.get(name);
        if (option == null) {
            throw wrong("does not know the option --" + name + unknownHint(name));
        }
        return option.isFlag() ? flag(option, attached) : value(option, attached, arguments, at);
    }

    private void common(String name, String attached) {
        refuseValue(name, attached);
        help |= name.equals("help");
        json |= name.equals("json");
        verbose |= name.equals("verbose");
    }

    private int flag(OptionSpec option, String attached) {
        refuseValue(option.name(), attached);
        options.put(option.name(), List.of("true"));
        return 1;
    }

    private void refuseValue(String name, String attached) {
        if (attached != null) {
            throw wrong("takes no value for --" + name + ": leave '=" + attached + "' away");
        }
    }

    private int value(OptionSpec option, String attached, List<String> arguments, int at) {
        if (attached != null) {
            take(option, attached);
            return 1;
        }
        String next = at + 1 < arguments.size() ? arguments.get(at + 1) : null;
        if (next == null || (next.startsWith("--") && next.length() > 2)) {
            throw wrong(
                    "needs a value after --"
                            + option.name()
                            + ": "
                            + option.valueName()
                            + ", "
                            + lowerFirst(option.description())
                            + (next == null
                                    ? ""
                                    : "; for a value that begins with dashes write --"
                                            + option.name()
                                            + "="
                                            + next));
        }
        take(option, next);
        return 2;
    }

    private void take(OptionSpec option, String value) {
        if (!option.values().isEmpty() && !option.values().contains(value)) {
            throw wrong(
                    "was given '"
                            + value
                            + "' for --"
                            + option.name()
                            + ": use "
                            + either(option.values())
                            + Nearest.hint(value, option.values(), ""));
        }
        List<String> values = options.computeIfAbsent(option.name(), name -> new ArrayList<>());
        if (!values.isEmpty() && !option.repeatable()) {
            throw wrong("was given --" + option.name() + " twice: give it once");
        }
        values.add(value);
    }

    private void checkPositionals() {
        List<PositionalSpec> expected = spec.positionals();
        for (int i = positionals.size(); i < expected.size(); i++) {
            PositionalSpec missing = expected.get(i);
            if (missing.required()) {
                throw wrong(
                        "needs "
                                + missing.name()
                                + ": "
                                + lowerFirst(missing.description())
                                + "; usage: "
                                + Help.usage(spec));
            }
        }
        boolean takesRest = !expected.isEmpty() && expected.get(expected.size() - 1).repeated();
        if (!takesRest && positionals.size() > expected.size()) {
            throw wrong(
                    "was given '"
                            + positionals.get(expected.size())
                            + "', "
                            + (expected.isEmpty()
                                    ? "but takes no arguments"
                                    : "but takes at most " + expected.size())
                            + "; usage: "
                            + Help.usage(spec));
        }
    }

    private String unknownHint(String name) {
        List<String> names =
                Stream.concat(known.keySet().stream(), SpecCheck.RESERVED.stream().sorted())
                        .toList();
        String near = Nearest.hint(name, names, "--");
        if (!near.isEmpty()) {
            return near;
        }
        return known.isEmpty()
                ? ": it takes none"
                : ": it takes " + either(names.stream().map(each -> "--" + each).toList());
    }

    private PalyraException wrong(String what) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT, "palyra " + spec.name() + " " + what);
    }

    static String either(List<String> words) {
        return words.size() == 1
                ? words.get(0)
                : String.join(", ", words.subList(0, words.size() - 1))
                        + " or "
                        + words.get(words.size() - 1);
    }

    private static String lowerFirst(String text) {
        boolean acronym = text.length() > 1 && Character.isUpperCase(text.charAt(1));
        return acronym ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
