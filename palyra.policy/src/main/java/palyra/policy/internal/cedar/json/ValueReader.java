package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.policy.internal.cedar.expr.ExtensionFunction;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * Reads values from JSON. Entities and extension values come as {@code __entity} and {@code
 * __extn}; where the data is not trusted, these and every other reserved key are refused, so that
 * no caller can forge a reference.
 */
public final class ValueReader {
    /** How deeply sets and records may nest. */
    public static final int MAX_DEPTH = 64;

    private static final Set<String> RESERVED = Set.of("__entity", "__extn", "__expr");

    private final boolean trusted;

    private ValueReader(boolean trusted) {
        this.trusted = trusted;
    }

    /** Reads data whose author may name entities: policies, entity files, our own requests. */
    public static ValueReader trusted() {
        return new ValueReader(true);
    }

    /** Reads data that came from outside: plain JSON only. */
    public static ValueReader untrusted() {
        return new ValueReader(false);
    }

    static boolean isReserved(String name) {
        return RESERVED.contains(name);
    }

    /**
     * @throws CedarFormatException if the JSON is no value: null, a fraction, a number beyond 64
     *     bits, a reserved key, or nested too deeply
     */
    public Value read(JsonNode node, String place) {
        return read(node, place, 0);
    }

    /** A record, for attributes, tags and contexts. */
    public RecordValue record(JsonNode node, String place) {
        if (read(node, place) instanceof RecordValue map) {
            return map;
        }
        throw new CedarFormatException(place + ": expected an object.");
    }

    private Value read(JsonNode node, String place, int depth) {
        if (depth > MAX_DEPTH) {
            throw new CedarFormatException(
                    place + ": nested deeper than " + MAX_DEPTH + " levels; flatten the data.");
        }
        return switch (node.getNodeType()) {
            case BOOLEAN -> BoolValue.of(node.booleanValue());
            case STRING -> new StringValue(node.textValue());
            case NUMBER -> number(node, place);
            case ARRAY -> set(node, place, depth);
            case OBJECT -> object(node, place, depth);
            default ->
                    throw new CedarFormatException(place + ": there is no Cedar value for null.");
        };
    }

    static LongValue number(JsonNode node, String place) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw new CedarFormatException(
                    place + ": " + node.asText() + " is not an integer of 64 bits.");
        }
        return new LongValue(node.longValue());
    }

    private SetValue set(JsonNode node, String place, int depth) {
        List<Value> elements = new ArrayList<>(node.size());
        for (JsonNode element : node) {
            elements.add(read(element, place + "[" + elements.size() + "]", depth + 1));
        }
        return SetValue.of(elements);
    }

    private Value object(JsonNode node, String place, int depth) {
        Map<String, Value> fields = HashMap.newHashMap(node.size());
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = field.getKey();
            if (RESERVED.contains(name)) {
                return escape(node, name, place);
            }
            fields.put(name, read(field.getValue(), place + "." + name, depth + 1));
        }
        return RecordValue.of(fields);
    }

    private Value escape(JsonNode node, String key, String place) {
        if (!trusted) {
            throw new CedarFormatException(
                    place + ": the key \"" + key + "\" is reserved and not accepted in this data.");
        }
        if (node.size() != 1 || key.equals("__expr")) {
            throw new CedarFormatException(
                    place
                            + ": \""
                            + key
                            + "\" is reserved; it must stand alone, and __expr not at all.");
        }
        JsonNode body = node.get(key);
        return key.equals("__entity") ? Json.uid(body, place) : extension(body, place);
    }

    /** {@code {fn, arg}} or {@code {fn, args}}: the call of an extension function. */
    Value extension(JsonNode body, String place) {
        Json.keys(body, Set.of("fn", "arg", "args"), place);
        String name = Json.text(body, "fn", place);
        List<Value> arguments = new ArrayList<>();
        if (body.has("args")) {
            Json.array(body.get("args"), place).forEach(a -> arguments.add(argument(a, place)));
        } else {
            arguments.add(argument(Json.required(body, "arg", place), place));
        }
        return call(name, arguments, place);
    }

    private Value argument(JsonNode node, String place) {
        boolean call = node.isObject() && node.has("fn");
        return call ? extension(node, place) : read(node, place, MAX_DEPTH - 2);
    }

    static Value call(String name, List<Value> arguments, String place) {
        ExtensionFunction function = ExtensionFunction.named(name);
        if (function == null || function.arity() != arguments.size()) {
            throw new CedarFormatException(
                    place + ": there is no function " + name + " of that many arguments.");
        }
        try {
            return arguments.size() == 1
                    ? function.apply(arguments.get(0))
                    : function.apply(arguments.get(0), arguments.get(1));
        } catch (EvaluationException e) {
            throw new CedarFormatException(place + ": " + e.getMessage());
        }
    }
}
