package palyra.lib.cedar.internal.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Estimates, from above, how large a policy becomes when Cedar writes out its short forms: {@code x
 * has a.b} holds {@code x} twice, {@code x is T in y} too, and such forms nest. Without a bound, 50
 * of them in each other are 2^50 nodes. Of a pattern behind {@code like} each character becomes a
 * node of the official JSON, and a control character is escaped there to as much as a node.
 */
final class Expansion {
    private static final Set<String> ENDS_OPERAND =
            Set.of(
                    "&&", "||", ",", ";", ":", "==", "!=", "<", "<=", ">", ">=", "if", "then",
                    "else", "like", "when", "unless");

    private final Deque<Level> open = new ArrayDeque<>();
    private Level level = new Level();
    private boolean like;

    private static final class Level {
        private long done;
        private long operand;
        private long has = -1;
        private boolean named;
        private boolean is;

        long nodes() {
            return sum(done, operand);
        }
    }

    void take(Token token) {
        continueHas(token);
        if (like && token.kind() == Token.Kind.STRING) {
            level.operand = sum(level.operand, token.end() - token.start());
        }
        like = token.is("like");
        if (token.is("(") || token.is("[") || token.is("{")) {
            open.push(level);
            level = new Level();
        } else if ((token.is(")") || token.is("]") || token.is("}")) && !open.isEmpty()) {
            long inner = level.nodes();
            level = open.pop();
            level.operand = sum(level.operand, inner);
        } else {
            operator(token);
        }
        level.operand = sum(level.operand, 1);
    }

    private void continueHas(Token token) {
        if (level.has < 0) {
            return;
        }
        if (token.is(".")) {
            level.has++;
            level.named = false;
        } else if (token.kind() == Token.Kind.WORD && !level.named) {
            level.named = true;
        } else {
            level.operand =
                    sum(product(level.operand, level.has + 1), product(level.has, level.has));
            level.has = -1;
        }
    }

    private void operator(Token token) {
        if (token.is("has")) {
            level.has = 0;
            level.named = false;
        } else if (token.is("is")) {
            level.is = true;
        } else if (token.is("in")) {
            level.operand = level.is ? product(level.operand, 2) : level.operand;
            level.is = false;
        } else if (token.kind() != Token.Kind.STRING && ENDS_OPERAND.contains(token.text())) {
            level.done = sum(level.done, level.operand);
            level.operand = 0;
            level.is = false;
        }
    }

    /** Takes the control characters of a text that is kept as it is: a string or a comment. */
    void takeControls(String source, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = source.charAt(i);
            level.done = sum(level.done, c < 0x20 && c != '\n' && c != '\r' && c != '\t' ? 1 : 0);
        }
    }

    /** Returns the estimate for what was taken so far. */
    long nodes() {
        long all = level.nodes();
        for (Level outer : open) {
            all = sum(all, outer.nodes());
        }
        return all;
    }

    private static long sum(long a, long b) {
        return Math.min(a + b, Long.MAX_VALUE / 4);
    }

    private static long product(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / 4 / b ? Long.MAX_VALUE / 4 : a * b;
    }
}
