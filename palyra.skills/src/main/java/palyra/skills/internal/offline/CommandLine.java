package palyra.skills.internal.offline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.Require;

/** A parsed command line: options with one value each, {@code --json}, and other arguments. */
record CommandLine(Map<String, String> options, List<String> words, boolean json) {
    /** Parses. {@code --name value}, {@code --name=value} and {@code -o value} are options. */
    static CommandLine parse(List<String> args) {
        Map<String, String> options = new HashMap<>();
        List<String> words = new ArrayList<>();
        boolean json = false;
        for (Iterator<String> each = args.iterator(); each.hasNext(); ) {
            String word = each.next();
            if (word.equals("--json")) {
                json = true;
            } else if (word.startsWith("-") && word.length() > 1) {
                String name = word.replaceFirst("^--?", "");
                int equals = name.indexOf('=');
                Require.that(equals > 0 || each.hasNext(), word + " needs a value");
                String key = equals > 0 ? name.substring(0, equals) : name;
                options.put(key, equals > 0 ? name.substring(equals + 1) : each.next());
            } else {
                words.add(word);
            }
        }
        return new CommandLine(options, words, json);
    }

    /** Returns the one word, after checking that only these options were given. */
    String only(String name, String... allowed) {
        for (String option : options.keySet()) {
            Require.that(
                    List.of(allowed).contains(option),
                    "the option '" + option + "' is not known here; see palyra skills --help");
        }
        Require.that(words.size() == 1, "give one " + name);
        return words.get(0);
    }

    Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    String needed(String name) {
        return Require.text(
                options.get(name), "the option " + (name.length() == 1 ? "-" : "--") + name);
    }
}
