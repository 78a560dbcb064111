package palyra.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a typed line as a shell does: blanks separate, single quotes keep everything, double
 * quotes keep everything but backslash before {@code "} and {@code \}, a backslash keeps the next
 * character. A vertical bar outside of quotes ends a stage. Nothing is ever expanded.
 */
final class ShellWords {
    /** What a word holds only in quotes or behind a backslash. */
    private static final String SPECIAL = " \t\r\n'\"\\|";

    private final String line;
    private final List<List<String>> stages = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private List<String> words = new ArrayList<>();
    private boolean started;
    private int start; // where the word begins in the line, once started
    private int at;

    private ShellWords(String line) {
        this.line = line;
    }

    /**
     * The words of each stage: of the command, then of what follows each {@code |}. Empty for a
     * blank line; a stage without words is empty.
     *
     * @throws IllegalArgumentException for an unclosed quote or a backslash at the end, with a
     *     message for the user
     */
    static List<List<String>> split(String line) {
        ShellWords split = new ShellWords(line);
        split.read();
        split.endWord();
        if (split.stages.isEmpty() && split.words.isEmpty()) {
            return List.of();
        }
        split.endStage();
        return List.copyOf(split.stages);
    }

    /**
     * An unfinished line.
     *
     * @param stages how many stages were ended before this one
     * @param before the whole words of this stage
     * @param word the last one, which may be empty, without its quotes
     * @param start where the last one begins in the text, with its quotes
     */
    record Typed(int stages, List<String> before, String word, int start) {
        Typed {
            before = List.copyOf(before);
        }
    }

    /** What may go on behind {@code text}, in which a quote may still be open. */
    static Typed typed(String text) {
        ShellWords split = new ShellWords(text);
        try {
            split.read();
        } catch (IllegalArgumentException e) {
            // The end of this word was not typed yet.
        }
        int start = split.started ? split.start : text.length();
        return new Typed(split.stages.size(), split.words, split.word.toString(), start);
    }

    /** The text as it is typed to be (a part of) one word again. */
    static String typeable(String text) {
        StringBuilder typeable = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (SPECIAL.indexOf(c) >= 0) {
                typeable.append('\\');
            }
            typeable.append(c);
        }
        return typeable.toString();
    }

    private void read() {
        while (at < line.length()) {
            char c = line.charAt(at++);
            switch (c) {
                case ' ', '\t', '\r', '\n' -> endWord();
                case '|' -> {
                    endWord();
                    endStage();
                }
                case '\'' -> singleQuoted();
                case '"' -> doubleQuoted();
                case '\\' -> {
                    begin();
                    keep(next("a backslash at the end escapes nothing"));
                }
                default -> {
                    begin();
                    keep(c);
                }
            }
        }
    }

    private void singleQuoted() {
        begin();
        for (char c = inQuotes('\''); c != '\''; c = inQuotes('\'')) {
            keep(c);
        }
    }

    private void doubleQuoted() {
        begin();
        for (char c = inQuotes('"'); c != '"'; c = inQuotes('"')) {
            boolean escapes =
                    c == '\\' && at < line.length() && "\"\\".indexOf(line.charAt(at)) >= 0;
            keep(escapes ? line.charAt(at++) : c);
        }
    }

    private char inQuotes(char quote) {
        return next(
                "the quote "
                        + quote
                        + " is not closed; close it, write \\"
                        + quote
                        + " for the character itself, or put the text between other quotes");
    }

    private char next(String problem) {
        if (at >= line.length()) {
            throw new IllegalArgumentException(problem);
        }
        return line.charAt(at++);
    }

    private void begin() {
        if (!started) {
            started = true;
            start = at - 1;
        }
    }

    private void keep(char c) {
        word.append(c);
    }

    private void endWord() {
        if (started) {
            words.add(word.toString());
            word.setLength(0);
            started = false;
        }
    }

    private void endStage() {
        stages.add(List.copyOf(words));
        words = new ArrayList<>();
    }
}
