package palyra.policy.internal.cedar.expr;

import java.util.ArrayList;
import java.util.List;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.Value;

/** Sets and their members. */
public final class Sets {
    private Sets() {}

    /** A set of expressions. */
    public static final class SetOf extends Expr {
        private final Expr[] elements;

        public SetOf(List<Expr> elements) {
            this.elements = elements.toArray(new Expr[0]);
        }

        @Override
        public Value eval(Env env) {
            List<Value> values = new ArrayList<>(elements.length);
            for (Expr element : elements) {
                values.add(element.eval(env));
            }
            return SetValue.of(values);
        }
    }

    /** {@code contains}. */
    public static final class Contains extends BoolExpr {
        private final Expr set;
        private final Expr element;

        public Contains(Expr set, Expr element) {
            this.set = set;
            this.element = element;
        }

        @Override
        public boolean test(Env env) {
            Value left = set.eval(env);
            Value right = element.eval(env);
            return asSet(left).contains(right);
        }
    }

    /** {@code containsAll}. */
    public static final class ContainsAll extends BoolExpr {
        private final Expr left;
        private final Expr right;

        public ContainsAll(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public boolean test(Env env) {
            Value first = left.eval(env);
            Value second = right.eval(env);
            return asSet(first).containsAll(asSet(second));
        }
    }

    /** {@code containsAny}. */
    public static final class ContainsAny extends BoolExpr {
        private final Expr left;
        private final Expr right;

        public ContainsAny(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public boolean test(Env env) {
            Value first = left.eval(env);
            Value second = right.eval(env);
            return asSet(first).containsAny(asSet(second));
        }
    }

    /** {@code isEmpty}. */
    public static final class IsEmpty extends BoolExpr {
        private final Expr set;

        public IsEmpty(Expr set) {
            this.set = set;
        }

        @Override
        public boolean test(Env env) {
            return asSet(set.eval(env)).isEmpty();
        }
    }
}
