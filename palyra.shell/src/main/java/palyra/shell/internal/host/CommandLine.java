package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandArguments;

/**
 * An argument list whose command was found, or that asks for the list of commands.
 *
 * @param offer the command; null when the list of commands is asked for
 * @param group first word that the list is limited to; empty means all commands
 * @param rest what follows the command's name, with the options that came before it in front
 */
record CommandLine(Offer offer, String group, List<String> rest) {
    static final Set<String> HELP = Set.of("-h", "--help");
    static final Set<String> VERBOSE = Set.of("-v", "--verbose");
    private static final String JSON = "--json";

    /**
     * Finds the command. Names of two words win over names of one.
     *
     * @throws PalyraException INVALID_ARGUMENT with the nearest name
     */
    static CommandLine of(List<String> argv, CommandRegistry registry) {
        int at = 0;
        while (at < argv.size() && common(argv.get(at))) {
            at++;
        }
        List<String> leading = argv.subList(0, at);
        if (at == argv.size()) {
            return new CommandLine(null, "", leading);
        }
        String first = argv.get(at);
        String second = at + 1 < argv.size() ? argv.get(at + 1) : "";
        Optional<Offer> two = registry.find(first + " " + second);
        if (two.isPresent()) {
            return found(two.get(), leading, argv, at + 2);
        }
        Optional<Offer> one = registry.find(first);
        if (one.isPresent()) {
            return found(one.get(), leading, argv, at + 1);
        }
        if (HELP.contains(second) && !registry.secondWords(first).isEmpty()) {
            return new CommandLine(null, first, leading);
        }
        throw unknown(first, second, registry);
    }

    private static boolean common(String word) {
        return HELP.contains(word) || VERBOSE.contains(word) || word.equals(JSON);
    }

    private static CommandLine found(
            Offer offer, List<String> leading, List<String> argv, int from) {
        List<String> rest = new ArrayList<>(leading);
        rest.addAll(argv.subList(from, argv.size()));
        return new CommandLine(offer, "", rest);
    }

    private static PalyraException unknown(String first, String second, CommandRegistry registry) {
        SortedSet<String> seconds = registry.secondWords(first);
        if (seconds.isEmpty()) {
            return wrong(
                    "There is no command '"
                            + first
                            + "'"
                            + orStop(Nearest.hint(first, registry.firstWords(), "palyra "))
                            + " List them with palyra help.");
        }
        String known = ArgumentParser.either(List.copyOf(seconds));
        if (second.isEmpty() || second.startsWith("-")) {
            return wrong("palyra " + first + " needs a second word: " + known + ".");
        }
        return wrong(
                "palyra "
                        + first
                        + " has no '"
                        + second
                        + "'"
                        + orStop(Nearest.hint(second, seconds, "palyra " + first + " "))
                        + " It has "
                        + known
                        + ".");
    }

    private static PalyraException wrong(String sentence) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, sentence);
    }

    private static String orStop(String hint) {
        return hint.isEmpty() ? "." : hint;
    }

    ParsedLine parse() {
        return ArgumentParser.parse(offer.spec(), rest);
    }

    /** Returns the line of a list of commands. */
    ParsedLine bare() {
        return new ParsedLine(
                new CommandArguments(Map.of(), List.of()), true, rest.contains(JSON), false);
    }

    /** Returns whether the list of commands shows {@code name}. */
    boolean covers(String name) {
        return group.isEmpty() || name.equals(group) || name.startsWith(group + " ");
    }
}
