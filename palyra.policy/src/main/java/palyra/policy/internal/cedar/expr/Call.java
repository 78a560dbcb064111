package palyra.policy.internal.cedar.expr;

import java.util.List;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.Value;

/** Calls of extension functions. */
public final class Call {
    private Call() {}

    /** The call of a function; with the wrong number of arguments it is an error when evaluated. */
    public static Expr of(ExtensionFunction function, List<Expr> arguments) {
        if (arguments.size() != function.arity()) {
            return new WrongArity(function, arguments.size());
        }
        return arguments.size() == 1
                ? new Unary(function, arguments.get(0))
                : new Binary(function, arguments.get(0), arguments.get(1));
    }

    private static final class Unary extends Expr {
        private final ExtensionFunction function;
        private final Expr argument;

        Unary(ExtensionFunction function, Expr argument) {
            this.function = function;
            this.argument = argument;
        }

        @Override
        public Value eval(Env env) {
            return function.apply(argument.eval(env));
        }
    }

    private static final class Binary extends Expr {
        private final ExtensionFunction function;
        private final Expr first;
        private final Expr second;

        Binary(ExtensionFunction function, Expr first, Expr second) {
            this.function = function;
            this.first = first;
            this.second = second;
        }

        @Override
        public Value eval(Env env) {
            Value left = first.eval(env);
            return function.apply(left, second.eval(env));
        }
    }

    private static final class WrongArity extends Expr {
        private final ExtensionFunction function;
        private final int count;

        WrongArity(ExtensionFunction function, int count) {
            this.function = function;
            this.count = count;
        }

        @Override
        public Value eval(Env env) {
            throw new EvaluationException(
                    "wrong number of arguments provided to extension function `%s`: expected %d, got %d"
                            .formatted(function.name(), function.arity(), count));
        }
    }
}
