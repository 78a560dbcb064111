package palyra.sandbox.internal.guard;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a sed script starts programs: GNU sed's command {@code e}, and the flag {@code e} of
 * {@code s}. Reads the script as sed(1) does, as far as commands go; a script that it cannot parse,
 * or that is in a file, counts as one that does.
 */
final class SedScript {
    private final String script;
    private int at;

    private SedScript(String script) {
        this.script = script;
    }

    /** Whether any script among sed's arguments does. */
    static boolean executes(List<String> arguments) {
        List<String> scripts = new ArrayList<>();
        boolean given = false;
        String operand = null;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith("--file") || argument.matches("-[nErsuzi]*f.*")) {
                return true;
            }
            if (argument.startsWith("--expression=")) {
                scripts.add(argument.substring(argument.indexOf('=') + 1));
                given = true;
            } else if (argument.matches("(?s)-[nErsuz]*e.*") || isExpression(argument)) {
                String glued =
                        argument.startsWith("--")
                                ? ""
                                : argument.substring(argument.indexOf('e') + 1);
                scripts.add(
                        glued.isEmpty() && i + 1 < arguments.size() ? arguments.get(++i) : glued);
                given = true;
            } else if (!argument.startsWith("-") && operand == null) {
                operand = argument;
            }
        }
        if (!given && operand != null) {
            scripts.add(operand);
        }
        return scripts.stream().anyMatch(script -> new SedScript(script).executes());
    }

    private static boolean isExpression(String argument) {
        return argument.length() >= 4 && "--expression".startsWith(argument);
    }

    private boolean executes() {
        while (skipToCommand()) {
            char command = script.charAt(at++);
            switch (command) {
                case 'e' -> {
                    return true;
                }
                case 's' -> {
                    if (!skipText(2) || flags().contains("e")) {
                        return true;
                    }
                }
                case 'y' -> {
                    if (!skipText(2)) {
                        return true;
                    }
                }
                case 'a', 'i', 'c', '#', ':', 'r', 'R', 'w', 'W' -> skipLine();
                default -> skipWord();
            }
        }
        return at < script.length();
    }

    /** Moves past separators, braces and addresses; false at the end or where it gives up. */
    private boolean skipToCommand() {
        while (at < script.length()) {
            char c = script.charAt(at);
            if (c == '/') {
                at++;
                if (!skipUntil('/')) {
                    return false;
                }
            } else if (c == '\\' && at + 1 < script.length()) {
                char delimiter = script.charAt(at + 1);
                at += 2;
                if (!skipUntil(delimiter)) {
                    return false;
                }
            } else if (" \t\n;{},!$~+0123456789IM".indexOf(c) >= 0) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Moves past {@code /…/…/} with any delimiter. */
    private boolean skipText(int parts) {
        if (at >= script.length()) {
            return false;
        }
        char delimiter = script.charAt(at++);
        for (int i = 0; i < parts; i++) {
            if (!skipUntil(delimiter)) {
                return false;
            }
        }
        return true;
    }

    private boolean skipUntil(char delimiter) {
        boolean bracket = false;
        while (at < script.length()) {
            char c = script.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == '[' && !bracket) {
                bracket = script.indexOf(']', at) > at && delimiter != '[';
            } else if (c == ']') {
                bracket = false;
            } else if (c == delimiter && !bracket) {
                return true;
            }
        }
        at = Math.min(at, script.length() - 1); // not at the end: this was not understood
        return false;
    }

    private String flags() {
        int from = at;
        while (at < script.length() && "gpeImM0123456789".indexOf(script.charAt(at)) >= 0) {
            at++;
        }
        String flags = script.substring(from, at);
        if (at < script.length() && script.charAt(at) == 'w') {
            skipLine();
        }
        return flags;
    }

    private void skipLine() {
        int end = script.indexOf('\n', at);
        at = end < 0 ? script.length() : end + 1;
    }

    /** Past what follows a command of one letter: a label or a number. */
    private void skipWord() {
        while (at < script.length() && ";\n}".indexOf(script.charAt(at)) < 0) {
            at++;
        }
    }
}
