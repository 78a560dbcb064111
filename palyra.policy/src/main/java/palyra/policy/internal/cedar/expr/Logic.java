package palyra.policy.internal.cedar.expr;

import java.util.List;
import palyra.policy.internal.cedar.value.Value;

/** The short-circuit operators. */
public final class Logic {
    private Logic() {}

    /** Left to right; stops at the first false one. */
    public static final class And extends BoolExpr {
        private final Expr[] parts;

        public And(List<Expr> parts) {
            this.parts = parts.toArray(new Expr[0]);
        }

        @Override
        public boolean test(Env env) {
            for (Expr part : parts) {
                if (!part.test(env)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Left to right; stops at the first true one. */
    public static final class Or extends BoolExpr {
        private final Expr[] parts;

        public Or(List<Expr> parts) {
            this.parts = parts.toArray(new Expr[0]);
        }

        @Override
        public boolean test(Env env) {
            for (Expr part : parts) {
                if (part.test(env)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The opposite. */
    public static final class Not extends BoolExpr {
        private final Expr operand;

        public Not(Expr operand) {
            this.operand = operand;
        }

        @Override
        public boolean test(Env env) {
            return !operand.test(env);
        }
    }

    /** {@code if … then … else}: only the branch that is taken is evaluated. */
    public static final class If extends Expr {
        private final Expr condition;
        private final Expr yes;
        private final Expr no;

        public If(Expr condition, Expr yes, Expr no) {
            this.condition = condition;
            this.yes = yes;
            this.no = no;
        }

        @Override
        public Value eval(Env env) {
            return condition.test(env) ? yes.eval(env) : no.eval(env);
        }

        @Override
        public boolean test(Env env) {
            return condition.test(env) ? yes.test(env) : no.test(env);
        }
    }
}
