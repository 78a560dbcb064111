package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.Value;

/** A value known when the policy was compiled. */
public final class Literal extends Expr {
    private final Value value;

    public Literal(Value value) {
        this.value = value;
    }

    public Value value() {
        return value;
    }

    @Override
    public Value eval(Env env) {
        return value;
    }
}
