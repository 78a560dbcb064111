package palyra.policy.internal.cedar.expr;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.DateTimeValue;
import palyra.policy.internal.cedar.value.DecimalValue;
import palyra.policy.internal.cedar.value.DurationValue;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.IpValue;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.Value;

/** A function of an extension. Takes one or two values; refuses values of another type. */
public final class ExtensionFunction {
    private static final Map<String, ExtensionFunction> ALL = new HashMap<>();

    static {
        unary("decimal", v -> DecimalValue.parse(Expr.asString(v)));
        binary("lessThan", (a, b) -> bool(compare(a, b) < 0));
        binary("lessThanOrEqual", (a, b) -> bool(compare(a, b) <= 0));
        binary("greaterThan", (a, b) -> bool(compare(a, b) > 0));
        binary("greaterThanOrEqual", (a, b) -> bool(compare(a, b) >= 0));
        unary("ip", v -> IpValue.parse(Expr.asString(v)));
        unary("isIpv4", v -> bool(ip(v).v4()));
        unary("isIpv6", v -> bool(!ip(v).v4()));
        unary("isLoopback", v -> bool(ip(v).isLoopback()));
        unary("isMulticast", v -> bool(ip(v).isMulticast()));
        binary("isInRange", (a, b) -> bool(ip(a).isInRange(ip(b))));
        unary("datetime", v -> DateTimeValue.parse(Expr.asString(v)));
        unary("duration", v -> DurationValue.parse(Expr.asString(v)));
        binary("offset", (a, b) -> instant(a).offset(duration(b)));
        binary("durationSince", (a, b) -> instant(a).since(instant(b)));
        unary("toDate", v -> instant(v).date());
        unary("toTime", v -> instant(v).time());
        unary("toMilliseconds", v -> new LongValue(duration(v).millis()));
        unary("toSeconds", v -> new LongValue(duration(v).millis() / 1_000));
        unary("toMinutes", v -> new LongValue(duration(v).millis() / 60_000));
        unary("toHours", v -> new LongValue(duration(v).millis() / 3_600_000));
        unary("toDays", v -> new LongValue(duration(v).millis() / 86_400_000));
    }

    private final String name;
    private final UnaryOperator<Value> one;
    private final BinaryOperator<Value> two;

    private ExtensionFunction(String name, UnaryOperator<Value> one, BinaryOperator<Value> two) {
        this.name = name;
        this.one = one;
        this.two = two;
    }

    /** Null if Cedar has no function of that name. */
    public static ExtensionFunction named(String name) {
        return ALL.get(name);
    }

    public int arity() {
        return one != null ? 1 : 2;
    }

    public String name() {
        return name;
    }

    /** Only for a function of one argument. */
    public Value apply(Value argument) {
        return one.apply(argument);
    }

    /** Only for a function of two arguments. */
    public Value apply(Value first, Value second) {
        return two.apply(first, second);
    }

    private static void unary(String name, UnaryOperator<Value> body) {
        ALL.put(name, new ExtensionFunction(name, body, null));
    }

    private static void binary(String name, BinaryOperator<Value> body) {
        ALL.put(name, new ExtensionFunction(name, null, body));
    }

    private static BoolValue bool(boolean value) {
        return BoolValue.of(value);
    }

    private static int compare(Value left, Value right) {
        return Long.compare(decimal(left).tenThousandths(), decimal(right).tenThousandths());
    }

    private static DecimalValue decimal(Value value) {
        if (value instanceof DecimalValue decimal) {
            return decimal;
        }
        throw EvaluationException.type("decimal", value);
    }

    private static IpValue ip(Value value) {
        if (value instanceof IpValue ip) {
            return ip;
        }
        throw EvaluationException.type("ipaddr", value);
    }

    private static DateTimeValue instant(Value value) {
        if (value instanceof DateTimeValue instant) {
            return instant;
        }
        throw EvaluationException.type("datetime", value);
    }

    private static DurationValue duration(Value value) {
        if (value instanceof DurationValue duration) {
            return duration;
        }
        throw EvaluationException.type("duration", value);
    }
}
