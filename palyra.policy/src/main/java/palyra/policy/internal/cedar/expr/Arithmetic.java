package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.EvaluationException;

/** Integer arithmetic: a result that does not fit into 64 bits is an error. */
public final class Arithmetic {
    private Arithmetic() {}

    /** Sum. */
    public static final class Add extends LongExpr {
        private final Expr left;
        private final Expr right;

        public Add(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        long number(Env env) {
            long a = left.number(env);
            long b = right.number(env);
            long sum = a + b;
            if (((a ^ sum) & (b ^ sum)) < 0) {
                throw EvaluationException.overflow("add", a, b);
            }
            return sum;
        }
    }

    /** Difference. */
    public static final class Subtract extends LongExpr {
        private final Expr left;
        private final Expr right;

        public Subtract(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        long number(Env env) {
            long a = left.number(env);
            long b = right.number(env);
            long difference = a - b;
            if (((a ^ b) & (a ^ difference)) < 0) {
                throw EvaluationException.overflow("subtract", a, b);
            }
            return difference;
        }
    }

    /** Product. */
    public static final class Multiply extends LongExpr {
        private final Expr left;
        private final Expr right;

        public Multiply(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        long number(Env env) {
            long a = left.number(env);
            long b = right.number(env);
            long product = a * b;
            if (Math.multiplyHigh(a, b) != product >> 63) {
                throw EvaluationException.overflow("multiply", a, b);
            }
            return product;
        }
    }

    /** Negation. */
    public static final class Negate extends LongExpr {
        private final Expr operand;

        public Negate(Expr operand) {
            this.operand = operand;
        }

        @Override
        long number(Env env) {
            long a = operand.number(env);
            if (a == Long.MIN_VALUE) {
                throw new EvaluationException(
                        "integer overflow while attempting to negate the value `" + a + "`");
            }
            return -a;
        }
    }
}
