package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.Value;

/** One of the four variables. */
public final class Variable extends Expr {

    /** Which one. */
    public enum Name {
        PRINCIPAL,
        ACTION,
        RESOURCE,
        CONTEXT
    }

    private final Name name;

    public Variable(Name name) {
        this.name = name;
    }

    @Override
    public Value eval(Env env) {
        return switch (name) {
            case PRINCIPAL -> env.principal;
            case ACTION -> env.action;
            case RESOURCE -> env.resource;
            case CONTEXT -> env.context;
        };
    }
}
