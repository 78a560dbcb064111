package palyra.sandbox.internal.guard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which arguments of well-known programs are text and never a path: patterns, expressions,
 * messages, delimiters.
 */
final class TextArguments {
    /**
     * Which operands and option values are text.
     *
     * @param all whether every operand is
     * @param first whether the first operand is, unless one of {@code unless} is given
     * @param unless options that take the place of the first operand
     * @param valued options whose value is text
     */
    private record Texts(boolean all, boolean first, Set<String> unless, Set<String> valued) {}

    private static final Map<String, Texts> PROGRAMS = new HashMap<>();

    static {
        all("echo printf expr seq factor yes true false basename dirname date cal sleep numfmt");
        put("tr", true, false, "-", "-");
        put(
                "grep egrep fgrep zgrep ugrep",
                false,
                true,
                "-e -f --regexp --file -N --neg-regexp",
                "-e --regexp");
        // Those that only list files have no pattern: every operand is a path.
        put("rg", false, true, "-e -f --regexp --file --files --type-list", "-e --regexp");
        put("ag ack", false, true, "-f -g --file --match --files-from -l --help-types", "--match");
        put("sed gsed", false, true, "-e -f --expression --file", "-e --expression");
        put("awk gawk mawk nawk", false, true, "-f --file -e --source -E --exec", "-F -e");
        put("jq yq", false, true, "-f --from-file", "-");
        put("chmod chown chgrp", false, true, "--reference", "-");
        put("cut paste column", false, false, "-", "-d --delimiter --output-delimiter -s");
        put("sort join", false, false, "-", "-t --field-separator");
        put(
                "git",
                false,
                false,
                "-",
                "-m --message --grep --author -S -G --format --pretty --date --since --until");
        put(
                "find gfind",
                false,
                false,
                "-",
                "-name -iname -path -ipath -wholename -iwholename -regex -iregex -printf -lname");
        put("curl", false, false, "-", "-H --header -A --user-agent -w --write-out -e --referer");
        put("wget", false, false, "-", "--header -U --user-agent --referer");
    }

    private final Texts texts;
    private final boolean firstIsText;
    private boolean operandSeen;

    private TextArguments(Texts texts, boolean firstIsText) {
        this.texts = texts;
        this.firstIsText = firstIsText;
    }

    private static void all(String programs) {
        put(programs, true, false, "-", "-");
    }

    private static void put(
            String programs, boolean all, boolean first, String unless, String valued) {
        Texts texts =
                new Texts(
                        all,
                        first,
                        Set.copyOf(List.of(unless.split(" "))),
                        Set.copyOf(List.of(valued.split(" "))));
        for (String program : programs.split(" ", -1)) {
            PROGRAMS.put(program, texts);
        }
    }

    /** Begins with the arguments of a command; {@link #isText} is then asked one after another. */
    static TextArguments of(Set<String> names, List<String> arguments) {
        Texts none = new Texts(false, false, Set.of(), Set.of());
        Texts texts =
                names.stream()
                        .filter(PROGRAMS::containsKey)
                        .findFirst()
                        .map(PROGRAMS::get)
                        .orElse(none);
        boolean replaced = arguments.stream().anyMatch(a -> replaces(texts, a));
        return new TextArguments(texts, texts.first() && !replaced);
    }

    /** Whether an argument, which may be a cluster, has an option that replaces the operand. */
    private static boolean replaces(Texts texts, String argument) {
        if (!argument.startsWith("-") || argument.equals("-")) {
            return false;
        }
        for (String option : texts.unless()) {
            boolean cluster =
                    option.length() == 2
                            && !argument.startsWith("--")
                            && argument.indexOf(option.charAt(1)) > 0;
            String name = argument.split("=", 2)[0];
            if (cluster || (name.length() > 3 && option.startsWith(name))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the next argument is text.
     *
     * @param previous the argument before it; empty for the first
     * @param operandsOnly whether {@code --} was seen
     */
    boolean isText(String argument, String previous, boolean operandsOnly) {
        if (!operandsOnly && texts.valued().contains(previous)) {
            return true;
        }
        boolean option = !operandsOnly && argument.startsWith("-") && argument.length() > 1;
        if (option) {
            return texts.all() || isGluedText(argument);
        }
        boolean first = !operandSeen;
        operandSeen = true;
        return texts.all() || (first && firstIsText);
    }

    private boolean isGluedText(String argument) {
        int end = argument.indexOf('=');
        if (argument.startsWith("--")) {
            return end > 0 && texts.valued().contains(argument.substring(0, end));
        }
        return argument.length() > 2 && texts.valued().contains(argument.substring(0, 2));
    }
}
