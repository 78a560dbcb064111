package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.expr.Arithmetic;
import palyra.policy.internal.cedar.expr.Attributes;
import palyra.policy.internal.cedar.expr.Call;
import palyra.policy.internal.cedar.expr.Comparison;
import palyra.policy.internal.cedar.expr.Expr;
import palyra.policy.internal.cedar.expr.ExtensionFunction;
import palyra.policy.internal.cedar.expr.Hierarchy;
import palyra.policy.internal.cedar.expr.Like;
import palyra.policy.internal.cedar.expr.Literal;
import palyra.policy.internal.cedar.expr.Logic;
import palyra.policy.internal.cedar.expr.RecordOf;
import palyra.policy.internal.cedar.expr.Sets;
import palyra.policy.internal.cedar.expr.Variable;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.json.ValueReader;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/** Compiles the expressions of one policy. Counts them and their depth. */
final class ExprCompiler {
    private static final Set<String> PAIR = Set.of("left", "right");

    private final PolicySetLimits limits;
    private final String place;
    private int nodes;
    private int depth;

    ExprCompiler(PolicySetLimits limits, String place) {
        this.limits = limits;
        this.place = place;
    }

    Expr compile(JsonNode node) {
        if (++depth > limits.expressionDepth()) {
            throw refused("an expression is nested deeper than " + limits.expressionDepth());
        }
        Map.Entry<String, JsonNode> only = Json.only(node, place);
        count();
        Expr compiled = compile(only.getKey(), only.getValue(), node);
        depth--;
        return compiled;
    }

    /** The parts of a chain of one operator, in the order they are evaluated. */
    List<JsonNode> chain(String operator, JsonNode node) {
        List<JsonNode> parts = new ArrayList<>();
        Deque<JsonNode> open = new ArrayDeque<>();
        open.push(node);
        while (!open.isEmpty()) {
            JsonNode next = open.pop();
            JsonNode pair = next.get(operator);
            if (pair == null || next.size() != 1) {
                parts.add(next);
            } else {
                count();
                Json.keys(pair, PAIR, place);
                open.push(Json.required(pair, "right", place));
                open.push(Json.required(pair, "left", place));
            }
        }
        return parts;
    }

    private void count() {
        if (++nodes > limits.policyNodes()) {
            throw refused("it has more than " + limits.policyNodes() + " expressions");
        }
    }

    private Expr compile(String operator, JsonNode body, JsonNode node) {
        return switch (operator) {
            case "Value" -> new Literal(ValueReader.trusted().read(body, place));
            case "Var" -> new Variable(variable(Json.text(body, place)));
            case "Slot" -> throw refused("slots are possible in the scope only");
            case "&&" -> Folding.and(all(chain("&&", node)));
            case "||" -> Folding.or(all(chain("||", node)));
            case "!" -> unary(operator, body);
            case "neg", "isEmpty" -> unary(operator, body);
            case "==", "!=", "<", "<=", ">", ">=", "+", "-", "*" -> binary(operator, body);
            case "in", "contains", "containsAll", "containsAny", "getTag", "hasTag" ->
                    binary(operator, body);
            case ".", "has" -> attribute(operator, body);
            case "like" -> like(body);
            case "is" -> is(body);
            case "if-then-else" -> conditional(body);
            case "Set" -> set(body);
            case "Record" -> recordOf(body);
            default -> call(operator, body);
        };
    }

    private Variable.Name variable(String name) {
        return switch (name) {
            case "principal" -> Variable.Name.PRINCIPAL;
            case "action" -> Variable.Name.ACTION;
            case "resource" -> Variable.Name.RESOURCE;
            case "context" -> Variable.Name.CONTEXT;
            default -> throw refused("there is no variable " + name);
        };
    }

    private Expr unary(String operator, JsonNode body) {
        Json.keys(body, Set.of("arg"), place);
        Expr operand = child(body, "arg");
        Expr expr =
                switch (operator) {
                    case "!" -> new Logic.Not(operand);
                    case "neg" -> new Arithmetic.Negate(operand);
                    default -> new Sets.IsEmpty(operand);
                };
        return Folding.fold(expr, operand);
    }

    private Expr binary(String operator, JsonNode body) {
        Json.keys(body, PAIR, place);
        Expr left = child(body, "left");
        Expr right = child(body, "right");
        return switch (operator) {
            case "==" -> Folding.fold(new Comparison.Equal(left, right), left, right);
            case "!=" -> not(new Comparison.Equal(left, right), left, right);
            case "<" -> Folding.fold(new Comparison.Less(left, right), left, right);
            case "<=" -> Folding.fold(new Comparison.LessOrEqual(left, right), left, right);
            case ">" -> not(new Comparison.LessOrEqual(left, right), left, right);
            case ">=" -> not(new Comparison.Less(left, right), left, right);
            case "+" -> Folding.fold(new Arithmetic.Add(left, right), left, right);
            case "-" -> Folding.fold(new Arithmetic.Subtract(left, right), left, right);
            case "*" -> Folding.fold(new Arithmetic.Multiply(left, right), left, right);
            case "contains" -> Folding.fold(new Sets.Contains(left, right), left, right);
            case "containsAll" -> Folding.fold(new Sets.ContainsAll(left, right), left, right);
            case "containsAny" -> Folding.fold(new Sets.ContainsAny(left, right), left, right);
            case "in" -> new Hierarchy.In(left, right);
            case "getTag" -> new Attributes.GetTag(left, right);
            default -> new Attributes.HasTag(left, right);
        };
    }

    private static Expr not(Expr expr, Expr left, Expr right) {
        return Folding.fold(new Logic.Not(expr), left, right);
    }

    private Expr attribute(String operator, JsonNode body) {
        Json.keys(body, Set.of("left", "attr"), place);
        Expr owner = child(body, "left");
        String name = Json.text(body, "attr", place);
        return operator.equals(".")
                ? new Attributes.Get(owner, name)
                : new Attributes.Has(owner, name);
    }

    /** Literal texts between stars; neighbours are joined. */
    private Expr like(JsonNode body) {
        Json.keys(body, Set.of("left", "pattern"), place);
        Expr operand = child(body, "left");
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (JsonNode part : Json.array(Json.required(body, "pattern", place), place)) {
            if (part.isTextual() && part.textValue().equals("Wildcard")) {
                texts.add(text.toString());
                text.setLength(0);
            } else {
                Json.keys(part, Set.of("Literal"), place);
                text.append(Json.text(part, "Literal", place));
            }
        }
        texts.add(text.toString());
        return Folding.fold(new Like(operand, texts), operand);
    }

    private Expr is(JsonNode body) {
        Json.keys(body, Set.of("left", "entity_type", "in"), place);
        String type = Json.text(body, "entity_type", place);
        if (!EntityUid.isTypeName(type)) {
            throw refused("\"" + type + "\" is not an entity type");
        }
        Expr operand = child(body, "left");
        Expr is = new Hierarchy.Is(operand, type);
        if (!body.has("in")) {
            return is;
        }
        return new Logic.And(List.of(is, new Hierarchy.In(operand, child(body, "in"))));
    }

    private Expr conditional(JsonNode body) {
        Json.keys(body, Set.of("if", "then", "else"), place);
        return Folding.conditional(child(body, "if"), child(body, "then"), child(body, "else"));
    }

    private Expr set(JsonNode body) {
        List<Expr> elements = all(Json.array(body, place));
        return Folding.fold(new Sets.SetOf(elements), elements.toArray(new Expr[0]));
    }

    private Expr recordOf(JsonNode body) {
        Map<String, Expr> fields = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : Json.object(body, place)) {
            fields.put(field.getKey(), compile(field.getValue()));
        }
        return Folding.fold(new RecordOf(fields), fields.values().toArray(new Expr[0]));
    }

    private Expr call(String name, JsonNode body) {
        ExtensionFunction function = ExtensionFunction.named(name);
        if (function == null) {
            throw refused("there is no operator or function " + name);
        }
        List<Expr> arguments = all(Json.array(body, place));
        return Folding.fold(Call.of(function, arguments), arguments.toArray(new Expr[0]));
    }

    private List<Expr> all(Iterable<JsonNode> nodes) {
        List<Expr> compiled = new ArrayList<>();
        nodes.forEach(node -> compiled.add(compile(node)));
        return compiled;
    }

    private Expr child(JsonNode body, String key) {
        return compile(Json.required(body, key, place));
    }

    private CedarFormatException refused(String reason) {
        return new CedarFormatException(place + ": " + reason + "; the policy is not accepted.");
    }
}
