package palyra.sandbox.internal.files;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Matches paths against a pattern, for any pattern in time proportional to the product of their
 * lengths: {@code ?} is one character, {@code *} any number of them, both without {@code /}; {@code
 * **} is any number of any characters, and {@code **}{@code /} at the start of a name also none at
 * all. Immutable.
 */
final class Glob {
    private static final String ANYWHERE = "**/";
    private static final int MOST_ALTERNATIVES = 64;

    /** What is not one certain character. */
    private enum Wild implements IntPredicate {
        DEEP,
        STAR,
        ONE;

        @Override
        public boolean test(int c) {
            return this == DEEP || c != '/';
        }
    }

    /** One character; a record, so that a slash can be told. */
    private record Literal(char wanted) implements IntPredicate {
        @Override
        public boolean test(int c) {
            return c == wanted;
        }
    }

    private final List<List<IntPredicate>> alternatives;

    private Glob(List<List<IntPredicate>> alternatives) {
        this.alternatives = alternatives;
    }

    /**
     * Reads a pattern of a tool: {@code {a,b}} is either of them, all other characters match
     * themselves. A pattern without {@code /} is about the last name; the empty one matches
     * everything.
     */
    static Glob of(String pattern) {
        String given = pattern.isEmpty() ? "**" : pattern;
        boolean path = given.contains("/") || given.equals("**");
        return new Glob(
                alternatives(path ? given : ANYWHERE + given).stream()
                        .map(each -> steps(each, false))
                        .toList());
    }

    /** What a model has to know to write one that fits. */
    static final String FORM =
            "In a glob * is any text without /, ** any text, ? one character, {a,b} either of both;"
                    + " all others stand for themselves, [ and ] too. One without / is about the"
                    + " name, one with / about the path below the folder.";

    /** Reads a pattern of a tool's input; refuses braces that are not in pairs. */
    static Glob ofInput(String pattern) throws FileRefusal {
        int depth = 0;
        for (int i = 0; i < pattern.length() && depth >= 0; i++) {
            depth += pattern.charAt(i) == '{' ? 1 : pattern.charAt(i) == '}' ? -1 : 0;
        }
        if (depth != 0) {
            throw new FileRefusal(
                    FileRefusal.INPUT,
                    "The glob '"
                            + FileRefusal.shown(pattern)
                            + "' has { or } without its counterpart. "
                            + FORM);
        }
        return of(pattern);
    }

    /** Reads a pattern of gitignore(5), with {@code [a-z]} and {@code \*}. */
    static Glob ofGit(String pattern) {
        return new Glob(List.of(steps(pattern, true)));
    }

    private static List<String> alternatives(String pattern) {
        int open = pattern.indexOf('{');
        int close = pattern.indexOf('}', open + 1);
        if (open < 0 || close < 0) {
            return List.of(pattern);
        }
        List<String> all = new ArrayList<>();
        for (String each : pattern.substring(open + 1, close).split(",", -1)) {
            all.addAll(
                    alternatives(pattern.substring(0, open) + each + pattern.substring(close + 1)));
            if (all.size() > MOST_ALTERNATIVES) {
                return List.of(pattern);
            }
        }
        return all;
    }

    private static List<IntPredicate> steps(String pattern, boolean git) {
        List<IntPredicate> steps = new ArrayList<>();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            int end = git && c == '[' ? CharacterClass.end(pattern, i) : -1;
            if (pattern.startsWith("**", i)) {
                steps.add(Wild.DEEP);
                i++;
            } else if (c == '*') {
                steps.add(Wild.STAR);
            } else if (c == '?') {
                steps.add(Wild.ONE);
            } else if (end > 0) {
                steps.add(new CharacterClass(pattern.substring(i + 1, end)));
                i = end;
            } else if (git && c == '\\' && i + 1 < pattern.length()) {
                steps.add(new Literal(pattern.charAt(++i)));
            } else {
                steps.add(new Literal(c));
            }
        }
        return steps;
    }

    /** What is between brackets. */
    private record CharacterClass(String text) implements IntPredicate {
        /** Returns where a class ends; -1 when it does not. */
        static int end(String pattern, int open) {
            boolean negated =
                    open + 1 < pattern.length() && "!^".indexOf(pattern.charAt(open + 1)) >= 0;
            return pattern.indexOf(']', open + (negated ? 3 : 2)); // the first one is a member
        }

        @Override
        public boolean test(int c) {
            boolean negated = text.charAt(0) == '!' || text.charAt(0) == '^';
            boolean in = false;
            for (int i = negated ? 1 : 0; i < text.length(); i++) {
                boolean range = i + 2 < text.length() && text.charAt(i + 1) == '-';
                in |= c >= text.charAt(i) && c <= text.charAt(range ? i + 2 : i);
                i += range ? 2 : 0;
            }
            return c != '/' && in != negated;
        }
    }

    boolean matches(String path) {
        return alternatives.stream().anyMatch(steps -> matches(steps, path));
    }

    /** Runs all ways of reading the pattern side by side; a state is a position in it. */
    private static boolean matches(List<IntPredicate> steps, String path) {
        BitSet now = new BitSet(steps.size() + 1);
        add(steps, now, 0);
        for (int i = 0; i < path.length() && !now.isEmpty(); i++) {
            BitSet next = new BitSet(steps.size() + 1);
            char c = path.charAt(i);
            for (int at = now.nextSetBit(0); at >= 0; at = now.nextSetBit(at + 1)) {
                step(steps, at, c, next);
            }
            now = next;
        }
        return now.get(steps.size());
    }

    private static void step(List<IntPredicate> steps, int at, char c, BitSet next) {
        if (at >= steps.size() || !steps.get(at).test(c)) {
            return;
        }
        IntPredicate step = steps.get(at);
        if (step == Wild.DEEP) {
            next.set(at);
            add(steps, next, at + 1);
        } else if (step == Wild.STAR) {
            add(steps, next, at);
        } else {
            add(steps, next, at + 1);
        }
    }

    /**
     * A position that is entered, and those that are reached from it without a character. That a
     * name begins here is known of a position that is entered, not of one that is stayed at.
     */
    private static void add(List<IntPredicate> steps, BitSet states, int at) {
        if (states.get(at)) {
            return;
        }
        states.set(at);
        if (at < steps.size() && (steps.get(at) == Wild.DEEP || steps.get(at) == Wild.STAR)) {
            add(steps, states, at + 1);
            boolean start = at == 0 || isSlash(steps, at - 1);
            if (steps.get(at) == Wild.DEEP && start && isSlash(steps, at + 1)) {
                add(steps, states, at + 2);
            }
        }
    }

    private static boolean isSlash(List<IntPredicate> steps, int at) {
        return at < steps.size() && steps.get(at) instanceof Literal one && one.wanted() == '/';
    }
}
