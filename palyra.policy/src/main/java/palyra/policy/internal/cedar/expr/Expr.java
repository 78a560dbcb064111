package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * A compiled expression. Immutable. Evaluating it gives a value or throws an {@link
 * EvaluationException}; the typed forms also throw it if the value has another type.
 */
public abstract class Expr {

    public abstract Value eval(Env env);

    /** The value as a boolean. */
    public boolean test(Env env) {
        Value value = eval(env);
        if (value instanceof BoolValue bool) {
            return bool.isTrue();
        }
        throw EvaluationException.type("bool", value);
    }

    /** The value as an integer. */
    long number(Env env) {
        return asLong(eval(env));
    }

    static long asLong(Value value) {
        if (value instanceof LongValue number) {
            return number.value();
        }
        throw EvaluationException.type("long", value);
    }

    static EntityUid asEntity(Value value) {
        if (value instanceof EntityUid uid) {
            return uid;
        }
        throw EvaluationException.type("(entity of type `any_entity_type`)", value);
    }

    static String asString(Value value) {
        if (value instanceof StringValue string) {
            return string.value();
        }
        throw EvaluationException.type("string", value);
    }

    static SetValue asSet(Value value) {
        if (value instanceof SetValue set) {
            return set;
        }
        throw EvaluationException.type("set", value);
    }
}
