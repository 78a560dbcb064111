package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import palyra.policy.internal.cedar.expr.Env;
import palyra.policy.internal.cedar.expr.Expr;

/**
 * One of the expressions that all must have their value for a policy to be satisfied. {@code when
 * {a && b}} has two with the value true, {@code unless {a || b}} two with the value false.
 */
final class Conjunct {
    private final Expr expr;
    private final boolean expected;
    private final JsonNode source;
    private String text; // made when first asked for, by whichever thread

    Conjunct(Expr expr, boolean expected, JsonNode source) {
        this.expr = expr;
        this.expected = expected;
        this.source = source;
    }

    boolean holds(Env env) {
        return expr.test(env) == expected;
    }

    /** What would have to be true, in Cedar's syntax. */
    String text() {
        String known = text;
        if (known == null) {
            String printed = EstPrinter.print(source);
            known = expected ? printed : "!(" + printed + ")";
            text = known;
        }
        return known;
    }
}
