package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import palyra.policy.internal.cedar.expr.ExtensionFunction;
import palyra.policy.internal.cedar.json.ValueReader;
import palyra.policy.internal.cedar.value.CedarText;

/** Writes a compiled expression in Cedar's syntax, for people. */
final class EstPrinter {
    private static final int LIMIT_CHARS = 2_000;
    private static final int LIMIT_DEPTH = 100;
    private static final Set<String> CONSTRUCTORS = Set.of("ip", "decimal", "datetime", "duration");

    private EstPrinter() {}

    /** The text; an ellipsis replaces parts that are too long or too deep. */
    static String print(JsonNode node) {
        String text = print(node, 0);
        return text.length() <= LIMIT_CHARS ? text : text.substring(0, LIMIT_CHARS) + "…";
    }

    private static String print(JsonNode node, int depth) {
        if (depth > LIMIT_DEPTH) {
            return "…";
        }
        Map.Entry<String, JsonNode> only = node.properties().iterator().next();
        String operator = only.getKey();
        JsonNode body = only.getValue();
        int inside = depth + 1;
        return switch (operator) {
            case "Value" -> ValueReader.trusted().read(body, "a policy").toString();
            case "Var" -> body.textValue();
            case "!" -> "!" + operand(body.get("arg"), inside);
            case "neg" -> "-(" + print(body.get("arg"), inside) + ")";
            case "isEmpty" -> operand(body.get("arg"), inside) + ".isEmpty()";
            case "contains", "containsAll", "containsAny", "getTag", "hasTag" ->
                    operand(body.get("left"), inside)
                            + method(operator, print(body.get("right"), inside));
            case "." -> operand(body.get("left"), inside) + access(body.get("attr").textValue());
            case "has" -> operand(body.get("left"), inside) + " has " + attribute(body);
            case "like" -> operand(body.get("left"), inside) + " like " + pattern(body);
            case "is" -> is(body, inside);
            case "if-then-else" ->
                    "if %s then %s else %s"
                            .formatted(
                                    operand(body.get("if"), inside),
                                    operand(body.get("then"), inside),
                                    operand(body.get("else"), inside));
            case "Set" -> "[" + list(body, inside) + "]";
            case "Record" -> fields(body, inside);
            default -> body.isArray() ? call(operator, body, inside) : pair(operator, body, inside);
        };
    }

    private static String pair(String operator, JsonNode body, int depth) {
        return operand(body.get("left"), depth)
                + " "
                + operator
                + " "
                + operand(body.get("right"), depth);
    }

    /** In parentheses unless it is atomic. */
    private static String operand(JsonNode node, int depth) {
        String operator = node.properties().iterator().next().getKey();
        boolean plain =
                switch (operator) {
                    case "Value", "Var", ".", "Set", "Record", "isEmpty" -> true;
                    case "contains", "containsAll", "containsAny", "getTag", "hasTag" -> true;
                    default -> ExtensionFunction.named(operator) != null;
                };
        String text = print(node, depth);
        return plain ? text : "(" + text + ")";
    }

    private static String is(JsonNode body, int depth) {
        String text =
                operand(body.get("left"), depth) + " is " + body.get("entity_type").textValue();
        return body.has("in") ? text + " in " + operand(body.get("in"), depth) : text;
    }

    private static String call(String name, JsonNode arguments, int depth) {
        if (CONSTRUCTORS.contains(name) || arguments.isEmpty()) {
            return name + "(" + list(arguments, depth) + ")";
        }
        String rest =
                StreamSupport.stream(arguments.spliterator(), false)
                        .skip(1)
                        .map(a -> print(a, depth))
                        .collect(Collectors.joining(", "));
        return operand(arguments.get(0), depth) + method(name, rest);
    }

    private static String method(String name, String arguments) {
        return "." + name + "(" + arguments + ")";
    }

    private static String list(JsonNode nodes, int depth) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(n -> print(n, depth))
                .collect(Collectors.joining(", "));
    }

    private static String fields(JsonNode body, int depth) {
        return body.properties().stream()
                .map(f -> CedarText.quote(f.getKey()) + ": " + print(f.getValue(), depth))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String access(String name) {
        return CedarText.isIdentifier(name) ? "." + name : "[" + CedarText.quote(name) + "]";
    }

    private static String attribute(JsonNode body) {
        String name = body.get("attr").textValue();
        return CedarText.isIdentifier(name) ? name : CedarText.quote(name);
    }

    private static String pattern(JsonNode body) {
        StringBuilder text = new StringBuilder("\"");
        for (JsonNode part : body.get("pattern")) {
            String literal = part.isTextual() ? null : part.get("Literal").textValue();
            text.append(literal == null ? "*" : CedarText.pattern(literal));
        }
        return text.append('"').toString();
    }
}
