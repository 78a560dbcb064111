package palyra.policy.internal.cedar;

import palyra.policy.internal.cedar.expr.Env;
import palyra.policy.internal.cedar.expr.Expr;

/**
 * One of the expressions that all must have their value for a policy to be satisfied. {@code when
 * {a && b}} has two with the value true, {@code unless {a || b}} two with the value false.
 */
final class Conjunct {
    private final Expr expr;
    private final boolean expected;
    private final String text;

    /**
     * @param printed the expression in Cedar's syntax, a tenth as large as what it was read from
     */
    Conjunct(Expr expr, boolean expected, String printed) {
        this.expr = expr;
        this.expected = expected;
        this.text = expected ? printed : "!(" + printed + ")";
    }

    boolean holds(Env env) {
        return expr.test(env) == expected;
    }

    /** What would have to be true, in Cedar's syntax. */
    String text() {
        return text;
    }
}
