package palyra.sandbox.internal.files;

import java.util.BitSet;

/**
 * Matches paths against a pattern, for any pattern in time proportional to the product of their
 * lengths: {@code ?} is one character, {@code *} any number of them, both without {@code /}; {@code
 * **} is any number of any characters, and {@code **}{@code /} at the start of a name also none at
 * all. A pattern without {@code /} is about the last name. All other characters match themselves.
 */
final class Glob {
    private static final String ANYWHERE = "**/";

    private final String pattern;

    /** Creates; the empty pattern matches everything. */
    Glob(String pattern) {
        String given = pattern.isEmpty() ? "**" : pattern;
        this.pattern = given.contains("/") || given.equals("**") ? given : ANYWHERE + given;
    }

    boolean matches(String path) {
        return steps(states(), path);
    }

    private BitSet states() {
        BitSet states = new BitSet(pattern.length() + 1);
        add(states, 0);
        return states;
    }

    /** Runs all ways of reading the pattern side by side; a state is a position in it. */
    private boolean steps(BitSet states, String path) {
        BitSet now = states;
        for (int i = 0; i < path.length() && !now.isEmpty(); i++) {
            BitSet next = new BitSet(pattern.length() + 1);
            char c = path.charAt(i);
            for (int at = now.nextSetBit(0); at >= 0; at = now.nextSetBit(at + 1)) {
                step(at, c, next);
            }
            now = next;
        }
        return now.get(pattern.length());
    }

    private void step(int at, char c, BitSet next) {
        if (at >= pattern.length()) {
            return;
        }
        char p = pattern.charAt(at);
        if (pattern.startsWith("**", at)) {
            next.set(at);
            add(next, at + 2);
        } else if (p == '*') {
            if (c != '/') {
                add(next, at);
            }
        } else if (p == '?' ? c != '/' : p == c) {
            add(next, at + 1);
        }
    }

    /**
     * A position that is entered, and those that are reached from it without a character. That a
     * name begins here is known of a position that is entered, not of one that is stayed at.
     */
    private void add(BitSet states, int at) {
        if (states.get(at)) {
            return;
        }
        states.set(at);
        if (pattern.startsWith("**", at)) {
            add(states, at + 2);
            boolean start = at == 0 || pattern.charAt(at - 1) == '/';
            if (start && pattern.startsWith(ANYWHERE, at)) {
                add(states, at + ANYWHERE.length());
            }
        } else if (at < pattern.length() && pattern.charAt(at) == '*') {
            add(states, at + 1);
        }
    }
}
