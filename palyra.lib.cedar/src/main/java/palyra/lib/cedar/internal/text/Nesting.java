package palyra.lib.cedar.internal.text;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates, from above, how deeply the expressions of a policy nest once they are parsed: the
 * compiled evaluator recurses as deep. Brackets count where they are opened, operators that chain
 * ({@code a.b.c}, {@code 1 + 2 + 3}) one level each, and {@code &&}, {@code ||} and comparisons one
 * level for all of them between two brackets.
 */
final class Nesting {
    private final Deque<Level> open = new ArrayDeque<>();
    private Level level = new Level();

    private static final class Level {
        private int logic;
        private int conditionals;
        private boolean or;
        private boolean and;
        private boolean comparison;
        private int run;
        private int inner;
        private int deepest;

        void endOperand() {
            deepest = Math.max(deepest, run + inner);
            run = 0;
            inner = 0;
        }

        /** Levels above the operand that is being read. */
        int above() {
            return logic + conditionals;
        }

        int depth() {
            return above() + Math.max(deepest, run + inner);
        }

        void endExpression() {
            int whole = depth();
            endOperand();
            deepest = whole;
            logic = 0;
            conditionals = 0;
            or = false;
            and = false;
            comparison = false;
        }
    }

    void take(Token token) {
        if (token.kind() == Token.Kind.STRING || token.kind() == Token.Kind.NUMBER) {
            return;
        }
        switch (token.text()) {
            case "(", "[", "{" -> {
                level.run++;
                open.push(level);
                level = new Level();
            }
            case ")", "]", "}" -> close();
            case ".", "+", "-", "*", "/", "%", "!" -> level.run++;
            case "has" -> {
                level.run++;
                and();
            }
            case "&&" -> {
                level.endOperand();
                and();
            }
            case "||" -> {
                level.endOperand();
                level.logic += level.or ? 0 : 1;
                level.or = true;
            }
            case "==", "!=", "<", "<=", ">", ">=", "in", "like", "is" -> {
                level.endOperand();
                level.logic += level.comparison ? 0 : 1;
                level.comparison = true;
            }
            case "if" -> level.conditionals++;
            case "then", "else" -> level.endOperand();
            case ",", ":", ";", "when", "unless", "@" -> level.endExpression();
            default -> {
                // a name adds no level
            }
        }
    }

    private void and() {
        level.logic += level.and ? 0 : 1;
        level.and = true;
    }

    private void close() {
        if (!open.isEmpty()) {
            int inner = level.depth();
            level = open.pop();
            level.inner = Math.max(level.inner, inner);
        }
    }

    /** Returns the estimate for what was taken so far. */
    int depth() {
        int depth = level.depth();
        for (Level outer : open) {
            depth = Math.max(outer.depth(), outer.above() + outer.run + depth);
        }
        return depth + 1;
    }
}
