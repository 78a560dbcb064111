package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.Value;

/** An expression that is always a boolean. */
abstract class BoolExpr extends Expr {
    @Override
    public abstract boolean test(Env env);

    @Override
    public final Value eval(Env env) {
        return BoolValue.of(test(env));
    }
}
