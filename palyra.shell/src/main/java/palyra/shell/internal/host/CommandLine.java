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
import palyra.shared.text.Nearest;

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
        List<String> given = argv.subList(at, argv.size());
        String first = given.get(0);
        if (FelixAliases.isGogo(first) && registry.find(first).isEmpty()) {
            return named(FelixAliases.ofLine(given.subList(1, given.size())), leading, registry);
        }
        boolean known = registry.firstWords().contains(first);
        return named(known ? given : FelixAliases.translated(given), leading, registry);
    }

    private static CommandLine named(
            List<String> given, List<String> leading, CommandRegistry registry) {
        String first = given.get(0);
        String second = given.size() > 1 ? given.get(1) : "";
        Optional<Offer> two = registry.find(first + " " + second);
        if (two.isPresent()) {
            return found(two.get(), leading, given, 2);
        }
        Optional<Offer> one = registry.find(first);
        if (one.isPresent()) {
            return found(one.get(), leading, given, 1);
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
                    "Command not found: '"
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
                        + registry.byAction(first + "." + second)
                                .map(name -> "; palyra " + name + " does that.")
                                .orElseGet(
                                        () ->
                                                orStop(
                                                        Nearest.hint(
                                                                second,
                                                                seconds,
                                                                "palyra " + first + " ")))
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
        return offer.command() instanceof ShortOptions command
                ? parse(command.shortOptions())
                : ArgumentParser.parse(offer.spec(), rest);
    }

    private ParsedLine parse(Set<String> shortOptions) {
        List<String> words = new ArrayList<>(rest);
        words.removeIf(shortOptions::contains);
        ParsedLine parsed = ArgumentParser.parse(offer.spec(), words);
        List<String> all = new ArrayList<>(rest);
        all.removeIf(word -> !shortOptions.contains(word));
        all.addAll(parsed.arguments().positionals());
        return new ParsedLine(
                new CommandArguments(Map.of(), all),
                parsed.help(),
                parsed.json(),
                parsed.verbose());
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
