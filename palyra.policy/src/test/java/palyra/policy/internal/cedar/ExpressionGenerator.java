package palyra.policy.internal.cedar;

import java.util.Random;
import palyra.policy.internal.cedar.value.CedarText;

/** Expressions of a wanted type, in Cedar's syntax. */
final class ExpressionGenerator {
    private static final int DEPTH = 4;

    /** The types expressions are made for. */
    private enum Kind {
        BOOL,
        LONG,
        STRING,
        ENTITY,
        NUMBERS,
        ENTITIES,
        RECORD,
        DECIMAL,
        IP,
        INSTANT,
        DURATION
    }

    private final Random random;

    ExpressionGenerator(Random random) {
        this.random = random;
    }

    /** A boolean, almost always. */
    String condition() {
        return of(Kind.BOOL, DEPTH);
    }

    private String of(Kind wanted, int depth) {
        Kind kind = random.nextInt(60) == 0 ? any(Kind.values()) : wanted;
        if (random.nextInt(25) == 0 && depth > 0) {
            return "(if %s then %s else %s)"
                    .formatted(of(Kind.BOOL, depth - 1), of(kind, depth - 1), of(kind, depth - 1));
        }
        return switch (kind) {
            case BOOL -> depth <= 0 ? leaf(kind) : bool(depth - 1);
            case LONG -> depth <= 0 ? leaf(kind) : number(depth - 1);
            case ENTITIES, NUMBERS -> depth <= 0 ? leaf(kind) : set(kind, depth - 1);
            case INSTANT, DURATION -> depth <= 0 ? leaf(kind) : time(kind, depth - 1);
            default -> leaf(kind);
        };
    }

    private String bool(int depth) {
        return switch (random.nextInt(24)) {
            case 0, 1, 2 -> binary("&&", Kind.BOOL, depth);
            case 3, 4, 5 -> binary("||", Kind.BOOL, depth);
            case 6 -> "!(" + of(Kind.BOOL, depth) + ")";
            case 7 -> binary(any("==", "!="), any(Kind.values()), depth);
            case 8 ->
                    "("
                            + of(any(Kind.values()), depth)
                            + any(" == ", " != ")
                            + of(any(Kind.values()), depth)
                            + ")";
            case 9, 10 -> binary(any("<", "<=", ">", ">="), ordered(), depth);
            case 11 -> "(" + of(Kind.STRING, depth) + " like " + pattern() + ")";
            case 12, 13 -> in(depth);
            case 14 -> "(" + of(Kind.ENTITY, depth) + " is " + any(WorldGenerator.TYPES) + ")";
            case 15, 16 -> has(depth);
            case 17 -> method(Kind.NUMBERS, "contains", Kind.LONG, depth);
            case 18 -> method(sets(), any("containsAll", "containsAny"), null, depth);
            case 19 -> of(sets(), depth) + ".isEmpty()";
            case 20 ->
                    method(
                            Kind.DECIMAL,
                            any("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"),
                            Kind.DECIMAL,
                            depth);
            case 21 -> method(Kind.IP, "isInRange", Kind.IP, depth);
            case 22 ->
                    of(Kind.IP, depth)
                            + any(".isIpv4()", ".isIpv6()", ".isLoopback()", ".isMulticast()");
            default -> leaf(Kind.BOOL);
        };
    }

    private String number(int depth) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> binary(any("+", "-", "*"), Kind.LONG, depth);
            case 2 -> "-(" + of(Kind.LONG, depth) + ")";
            case 3 ->
                    of(Kind.DURATION, depth)
                            + any(
                                    ".toMilliseconds()",
                                    ".toSeconds()",
                                    ".toMinutes()",
                                    ".toHours()",
                                    ".toDays()");
            case 4 -> of(Kind.ENTITY, depth) + ".getTag(" + any("\"a\"", "\"ab\"") + ")";
            default -> leaf(Kind.LONG);
        };
    }

    private String set(Kind kind, int depth) {
        Kind element = kind == Kind.NUMBERS ? Kind.LONG : Kind.ENTITY;
        return switch (random.nextInt(3)) {
            case 0 -> "[" + of(element, depth) + "]";
            case 1 -> "[" + of(element, depth) + ", " + of(element, depth) + "]";
            default -> leaf(kind);
        };
    }

    private String time(Kind kind, int depth) {
        if (random.nextBoolean()) {
            return leaf(kind);
        }
        if (kind == Kind.INSTANT) {
            return random.nextBoolean()
                    ? of(Kind.INSTANT, depth) + ".toDate()"
                    : method(Kind.INSTANT, "offset", Kind.DURATION, depth);
        }
        return random.nextBoolean()
                ? of(Kind.INSTANT, depth) + ".toTime()"
                : method(Kind.INSTANT, "durationSince", Kind.INSTANT, depth);
    }

    private String in(int depth) {
        Kind above = random.nextBoolean() ? Kind.ENTITY : Kind.ENTITIES;
        String left = random.nextInt(4) == 0 ? "action" : of(Kind.ENTITY, depth);
        String is = random.nextInt(3) == 0 ? " is " + any(WorldGenerator.TYPES) : "";
        return "(" + left + is + " in " + of(above, depth) + ")";
    }

    private String has(int depth) {
        String owner = random.nextInt(3) == 0 ? of(Kind.RECORD, depth) : of(Kind.ENTITY, depth);
        return switch (random.nextInt(3)) {
            case 0 -> of(Kind.ENTITY, depth) + ".hasTag(" + of(Kind.STRING, depth) + ")";
            case 1 -> "(" + owner + " has " + any("n", "s", "zz", "r") + ")";
            default -> "(" + owner + " has " + any("r.n", "r.s", "e.n", "zz.n") + ")";
        };
    }

    private String method(Kind receiver, String name, Kind argument, int depth) {
        Kind other = argument == null ? receiver : argument;
        return of(receiver, depth) + "." + name + "(" + of(other, depth) + ")";
    }

    private String binary(String operator, Kind kind, int depth) {
        return "(" + of(kind, depth) + " " + operator + " " + of(kind, depth) + ")";
    }

    private String leaf(Kind kind) {
        if (kind == Kind.BOOL && random.nextInt(4) == 0) {
            return any("true", "false");
        }
        if (random.nextBoolean()) {
            return attribute(kind);
        }
        return switch (kind) {
            case BOOL -> attribute(kind);
            case LONG -> number(any(WorldGenerator.LONGS));
            case STRING -> CedarText.quote(any(WorldGenerator.STRINGS));
            case ENTITY -> entity();
            case NUMBERS ->
                    any("[]", "[1]", "[1, 2, 3]", "[0, 1, 2, 3, -1, -2]", "[1, true]", "[2, 1]");
            case ENTITIES -> any("[]", "[" + entity() + "]", "[" + entity() + ", principal]");
            case RECORD ->
                    any("{}", "{n: 1}", "{n: 1, s: \"a\"}", "{r: {n: context.n}}", "context");
            case DECIMAL -> "decimal(\"" + any(WorldGenerator.DECIMALS) + "\")";
            case IP -> "ip(\"" + any(WorldGenerator.IPS) + "\")";
            case INSTANT -> "datetime(\"" + any(WorldGenerator.INSTANTS) + "\")";
            case DURATION -> "duration(\"" + any(WorldGenerator.DURATIONS) + "\")";
        };
    }

    /** In parentheses if negative, so that methods and operators bind to the whole. */
    private static String number(String digits) {
        return digits.startsWith("-") ? "(" + digits + ")" : digits;
    }

    private String entity() {
        return switch (random.nextInt(4)) {
            case 0 -> "principal";
            case 1 -> "resource";
            default -> any(WorldGenerator.TYPES) + "::\"" + any(WorldGenerator.IDS) + "\"";
        };
    }

    private String attribute(Kind kind) {
        String owner = any("principal", "resource", "context", "context", "context.e");
        return owner
                + switch (kind) {
                    case BOOL -> ".b";
                    case LONG -> any(".n", ".n", ".r.n");
                    case STRING -> any(".s", ".s", ".r.s");
                    case ENTITY -> ".e";
                    case NUMBERS -> ".ns";
                    case ENTITIES -> ".es";
                    case RECORD -> ".r";
                    case DECIMAL -> ".dec";
                    case IP -> ".ip";
                    case INSTANT -> ".dt";
                    case DURATION -> ".dur";
                };
    }

    private String pattern() {
        return any(
                "\"a*\"",
                "\"*b\"",
                "\"*a*b*\"",
                "\"a\\*b\"",
                "\"*\"",
                "\"ab*ab\"",
                "\"\"",
                "\"é*\"");
    }

    private Kind ordered() {
        return any(Kind.LONG, Kind.INSTANT, Kind.DURATION);
    }

    private Kind sets() {
        return any(Kind.NUMBERS, Kind.ENTITIES);
    }

    @SafeVarargs
    private final <T> T any(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
