package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Maps commands of Felix to commands of this shell: {@code start 7} is {@code bundle start 7},
 * {@code scr:info NAME} is {@code scr info NAME}. Pure.
 */
final class FelixAliases {
    private static final String GOGO = "gogo";
    private static final Pattern WORD = Pattern.compile("('[^']*'|\"[^\"]*\")|\\S+");
    private static final Pattern LANGUAGE = Pattern.compile("[|;$`{}]|^\\(|^[\\w.-]+=$");
    private static final Map<String, String> BUNDLE =
            Map.ofEntries(
                    Map.entry("headers", "headers"),
                    Map.entry("inspect", "inspect"),
                    Map.entry("which", "which"),
                    Map.entry("install", "install"),
                    Map.entry("start", "start"),
                    Map.entry("stop", "stop"),
                    Map.entry("update", "update"),
                    Map.entry("uninstall", "uninstall"),
                    Map.entry("refresh", "refresh"),
                    Map.entry("resolve", "resolve"),
                    Map.entry("bundlelevel", "level"));

    private FelixAliases() {}

    /** Returns whether a list of arguments is {@code gogo LINE}. */
    static boolean isGogo(String first) {
        return first.equals(GOGO);
    }

    /**
     * Returns the words of {@code gogo LINE}, where Felix's meaning of a word comes first. Quotes
     * keep words together. The words are arguments and are never evaluated, so what looks like more
     * than words is refused for clarity alone.
     *
     * @throws PalyraException INVALID_ARGUMENT
     */
    static List<String> ofLine(List<String> line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(String.join(" ", line));
        while (word.find()) {
            boolean quoted = word.group(1) != null;
            if (!quoted && LANGUAGE.matcher(word.group()).find()) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "palyra gogo takes one command and its words, and '"
                                + word.group()
                                + "' is more than that: variables, closures, pipes and calls of"
                                + " methods are not offered. Use the pipes of your own shell.");
            }
            words.add(
                    quoted ? word.group(1).substring(1, word.group(1).length() - 1) : word.group());
        }
        if (words.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "palyra gogo needs a line with one command of Felix, such as \"lb -s\".");
        }
        return translated(words);
    }

    /** Returns the words with Felix's names in ours. */
    static List<String> translated(List<String> words) {
        String first = words.get(0);
        int colon = first.indexOf(':');
        String scope = colon < 0 ? "" : first.substring(0, colon);
        String name = first.substring(colon + 1);
        List<String> rest = words.subList(1, words.size());
        return switch (scope) {
            case "" -> BUNDLE.containsKey(first) ? bundle(first, rest) : words;
            case "felix" -> BUNDLE.containsKey(name) ? bundle(name, rest) : of(rest, name);
            case "palyra" -> of(rest, name);
            default -> of(rest, scope, name);
        };
    }

    private static List<String> bundle(String name, List<String> rest) {
        return of(rest, "bundle", BUNDLE.get(name));
    }

    private static List<String> of(List<String> rest, String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }
}
