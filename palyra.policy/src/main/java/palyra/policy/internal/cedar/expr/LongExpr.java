package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.Value;

/** An expression that is always an integer. */
abstract class LongExpr extends Expr {
    @Override
    abstract long number(Env env);

    @Override
    public final Value eval(Env env) {
        return new LongValue(number(env));
    }
}
