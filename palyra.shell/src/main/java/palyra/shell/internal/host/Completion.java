package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/** Finds completions of an argument list. */
final class Completion {
    private final CommandRegistry registry;
    private final Predicate<CommandSpec> allowed;

    /**
     * Creates it.
     *
     * @param allowed whether the caller may run a command; else its values are not shown
     */
    Completion(CommandRegistry registry, Predicate<CommandSpec> allowed) {
        this.registry = registry;
        this.allowed = allowed;
    }

    /** Returns what can replace the last of {@code words}, which may be empty. */
    List<String> candidates(List<String> words) {
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        if (words.size() <= 1) {
            return beginning(last, List.copyOf(registry.firstWords()));
        }
        String first = words.get(0);
        Offer two = registry.find(first + " " + words.get(1)).orElse(null);
        if (two != null && words.size() > 2) {
            return arguments(two, words.subList(2, words.size()));
        }
        Offer one = registry.find(first).orElse(null);
        List<String> found = new ArrayList<>();
        if (words.size() == 2) {
            found.addAll(beginning(last, List.copyOf(registry.secondWords(first))));
        }
        if (one != null) {
            found.addAll(arguments(one, words.subList(1, words.size())));
        }
        return found;
    }

    private List<String> arguments(Offer offer, List<String> words) {
        CommandSpec spec = offer.spec();
        String last = words.get(words.size() - 1);
        List<String> before = words.subList(0, words.size() - 1);
        OptionSpec open = openOption(spec, before);
        if (open != null) {
            return beginning(last, open.values());
        }
        if (before.contains("--") || !last.startsWith("-")) {
            return positional(offer, before, last);
        }
        int equals = last.indexOf('=');
        return equals < 0 ? options(spec, last) : attached(spec, last, equals);
    }

    private static OptionSpec openOption(CommandSpec spec, List<String> before) {
        String previous = before.isEmpty() ? "" : before.get(before.size() - 1);
        if (before.contains("--")) {
            return null;
        }
        return spec.options().stream()
                .filter(option -> !option.isFlag() && previous.equals("--" + option.name()))
                .findFirst()
                .orElse(null);
    }

    private static List<String> options(CommandSpec spec, String last) {
        TreeSet<String> names = new TreeSet<>(List.of("--help", "--json"));
        spec.options().forEach(option -> names.add("--" + option.name()));
        return beginning(last, List.copyOf(names));
    }

    private static List<String> attached(CommandSpec spec, String last, int equals) {
        String name = last.substring(0, equals);
        return spec.options().stream()
                .filter(option -> name.equals("--" + option.name()))
                .flatMap(option -> option.values().stream())
                .map(value -> name + "=" + value)
                .filter(value -> value.startsWith(last))
                .toList();
    }

    private List<String> positional(Offer offer, List<String> before, String last) {
        CommandSpec spec = offer.spec();
        int index = positionals(spec, before);
        List<PositionalSpec> expected = spec.positionals();
        boolean takes =
                index < expected.size()
                        || (!expected.isEmpty() && expected.get(expected.size() - 1).repeated());
        if (!takes || !allowed.test(spec)) {
            return List.of();
        }
        return beginning(last, offer.command().complete(index, last));
    }

    private static int positionals(CommandSpec spec, List<String> before) {
        int count = 0;
        boolean ended = false;
        for (int i = 0; i < before.size(); i++) {
            String word = before.get(i);
            if (!ended && word.equals("--")) {
                ended = true;
            } else if (!ended && word.startsWith("-") && word.length() > 1) {
                i += openOption(spec, before.subList(0, i + 1)) == null ? 0 : 1;
            } else {
                count++;
            }
        }
        return count;
    }

    private static List<String> beginning(String prefix, List<String> words) {
        return words.stream().filter(word -> word.startsWith(prefix)).sorted().toList();
    }
}
