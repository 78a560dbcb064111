package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.DateTimeValue;
import palyra.policy.internal.cedar.value.DurationValue;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.Value;

/** Equality and order. */
public final class Comparison {
    private Comparison() {}

    /** {@code ==}: never an error of its own; values of different types are unequal. */
    public static final class Equal extends BoolExpr {
        private final Expr left;
        private final Expr right;

        public Equal(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public boolean test(Env env) {
            return left.eval(env).equals(right.eval(env));
        }
    }

    /** {@code <} on two integers, instants or durations. */
    public static final class Less extends BoolExpr {
        private final Expr left;
        private final Expr right;

        public Less(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public boolean test(Env env) {
            return compare(left.eval(env), right.eval(env)) < 0;
        }
    }

    /** {@code <=} on two integers, instants or durations. */
    public static final class LessOrEqual extends BoolExpr {
        private final Expr left;
        private final Expr right;

        public LessOrEqual(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public boolean test(Env env) {
            return compare(left.eval(env), right.eval(env)) <= 0;
        }
    }

    private static int compare(Value left, Value right) {
        if (left instanceof LongValue a && right instanceof LongValue b) {
            return Long.compare(a.value(), b.value());
        }
        if (left instanceof DateTimeValue a && right instanceof DateTimeValue b) {
            return Long.compare(a.epochMillis(), b.epochMillis());
        }
        if (left instanceof DurationValue a && right instanceof DurationValue b) {
            return Long.compare(a.millis(), b.millis());
        }
        throw mismatch(left, right);
    }

    private static EvaluationException mismatch(Value left, Value right) {
        if (left instanceof LongValue) {
            return EvaluationException.type("long", right);
        }
        if (right instanceof LongValue) {
            return EvaluationException.type("long", left);
        }
        if (left instanceof DateTimeValue || left instanceof DurationValue) {
            return EvaluationException.type(left.typeName(), right);
        }
        if (right instanceof DateTimeValue || right instanceof DurationValue) {
            return EvaluationException.type(right.typeName(), left);
        }
        return EvaluationException.type("one of [long, datetime, duration]", left);
    }
}
