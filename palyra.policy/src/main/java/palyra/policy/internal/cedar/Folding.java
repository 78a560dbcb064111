package palyra.policy.internal.cedar;

import java.util.ArrayList;
import java.util.List;
import palyra.policy.internal.cedar.expr.Expr;
import palyra.policy.internal.cedar.expr.Literal;
import palyra.policy.internal.cedar.expr.Logic;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.Value;

/**
 * Evaluates what does not depend on the request when the policy is compiled. What would be an error
 * stays an error of the evaluation.
 */
final class Folding {
    private Folding() {}

    /**
     * The value of the expression if all its operands are known and it has one. Not for expressions
     * that look at entities.
     */
    static Expr fold(Expr expr, Expr... operands) {
        for (Expr operand : operands) {
            if (!(operand instanceof Literal)) {
                return expr;
            }
        }
        try {
            return new Literal(expr.eval(null));
        } catch (EvaluationException e) {
            return expr;
        }
    }

    /** Nothing behind a part that is false is ever evaluated; a true part changes nothing. */
    static Expr and(List<Expr> parts) {
        List<Expr> kept = kept(parts, BoolValue.FALSE);
        return kept.size() == 1 && kept.get(0) instanceof Literal literal && isBool(literal)
                ? literal
                : kept.isEmpty() ? new Literal(BoolValue.TRUE) : new Logic.And(kept);
    }

    /** Nothing behind a part that is true is ever evaluated; a false part changes nothing. */
    static Expr or(List<Expr> parts) {
        List<Expr> kept = kept(parts, BoolValue.TRUE);
        return kept.size() == 1 && kept.get(0) instanceof Literal literal && isBool(literal)
                ? literal
                : kept.isEmpty() ? new Literal(BoolValue.FALSE) : new Logic.Or(kept);
    }

    /** Only the branch that is taken counts. */
    static Expr conditional(Expr condition, Expr yes, Expr no) {
        if (condition instanceof Literal literal && literal.value() instanceof BoolValue known) {
            return known.isTrue() ? yes : no;
        }
        return new Logic.If(condition, yes, no);
    }

    private static List<Expr> kept(List<Expr> parts, BoolValue decisive) {
        List<Expr> kept = new ArrayList<>();
        for (Expr part : parts) {
            Value known = part instanceof Literal literal ? literal.value() : null;
            if (!(known instanceof BoolValue)) {
                kept.add(part);
            } else if (known == decisive) {
                kept.add(part);
                return kept;
            }
        }
        return kept;
    }

    private static boolean isBool(Literal literal) {
        return literal.value() instanceof BoolValue;
    }
}
