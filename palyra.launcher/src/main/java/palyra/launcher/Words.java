package palyra.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a typed line as a shell does: blanks separate, single quotes keep everything, double
 * quotes keep everything but backslash before {@code "} and {@code \}, a backslash keeps the next
 * character. Nothing is ever expanded.
 */
final class Words {
    private final String line;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean started;
    private int at;

    private Words(String line) {
        this.line = line;
    }

    /**
     * @throws IllegalArgumentException for a quote that is not closed or a backslash at the end;
     *     the message is for the person who typed it
     */
    static List<String> split(String line) {
        return new Words(line).all();
    }

    private List<String> all() {
        while (at < line.length()) {
            char c = line.charAt(at++);
            switch (c) {
                case ' ', '\t', '\r', '\n' -> endWord();
                case '\'' -> singleQuoted();
                case '"' -> doubleQuoted();
                case '\\' -> keep(next("a backslash at the end escapes nothing"));
                default -> keep(c);
            }
        }
        endWord();
        return List.copyOf(words);
    }

    private void singleQuoted() {
        started = true;
        for (char c = inQuotes('\''); c != '\''; c = inQuotes('\'')) {
            keep(c);
        }
    }

    private void doubleQuoted() {
        started = true;
        for (char c = inQuotes('"'); c != '"'; c = inQuotes('"')) {
            boolean escapes =
                    c == '\\' && at < line.length() && "\"\\".indexOf(line.charAt(at)) >= 0;
            keep(escapes ? line.charAt(at++) : c);
        }
    }

    private char inQuotes(char quote) {
        return next("the quote " + quote + " is not closed");
    }

    private char next(String problem) {
        if (at >= line.length()) {
            throw new IllegalArgumentException(problem);
        }
        return line.charAt(at++);
    }

    private void keep(char c) {
        started = true;
        word.append(c);
    }

    private void endWord() {
        if (started) {
            words.add(word.toString());
            word.setLength(0);
            started = false;
        }
    }
}
