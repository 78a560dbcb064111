package palyra.policy.internal.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.ExtensionValue;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * Values as Cedar's JSON, sets in a fixed order. Values that a canonical text cannot hold are
 * refused: those of extension types, and integers that a double cannot.
 */
final class ValueJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final long EXACT = 1L << 53;
    private static final Comparator<Value> ORDER =
            Comparator.comparing(Value::typeName).thenComparing(Value::toString);

    private ValueJson() {}

    static JsonNode of(Value value) {
        return switch (value) {
            case BoolValue bool -> JSON.booleanNode(bool.equals(BoolValue.TRUE));
            case LongValue number -> JSON.numberNode(exact(number.value()));
            case StringValue text -> JSON.textNode(text.value());
            case EntityUid uid -> JSON.objectNode().set("__entity", name(uid));
            case SetValue set -> set(set);
            case RecordValue map -> map(map);
            case ExtensionValue other -> throw unwritable(other);
        };
    }

    static ObjectNode name(EntityUid uid) {
        return JSON.objectNode().put("type", uid.type()).put("id", uid.id());
    }

    static <V extends Value> List<V> sorted(Collection<V> values) {
        return values.stream().sorted(ORDER).toList();
    }

    private static ArrayNode set(SetValue set) {
        ArrayNode node = JSON.arrayNode();
        elements(set).forEach(element -> node.add(of(element)));
        return node;
    }

    private static List<Value> elements(SetValue set) {
        Value[] elements = new Value[set.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = set.element(i);
        }
        return sorted(List.of(elements));
    }

    private static ObjectNode map(RecordValue map) {
        ObjectNode node = JSON.objectNode();
        map.names().forEach(name -> node.set(name, of(map.get(name))));
        return node;
    }

    /** Refuses a policy request that could not be written again as it is. */
    static void requireWritable(PolicyRequest request) {
        requireWritable(request.context());
        for (Entity entity : request.slice()) {
            requireWritable(entity.attributes());
            requireWritable(entity.tags());
        }
    }

    private static void requireWritable(Value value) {
        switch (value) {
            case ExtensionValue other -> throw unwritable(other);
            case LongValue number -> exact(number.value());
            case SetValue set -> elements(set).forEach(ValueJson::requireWritable);
            case RecordValue map -> map.names().forEach(name -> requireWritable(map.get(name)));
            case BoolValue bool -> {}
            case StringValue text -> {}
            case EntityUid uid -> {}
        }
    }

    private static long exact(long number) {
        if (number > EXACT || number < -EXACT) {
            throw new CedarFormatException(
                    "the number " + number + " is beyond what JSON can hold exactly");
        }
        return number;
    }

    private static CedarFormatException unwritable(Value value) {
        return new CedarFormatException(
                "a value of type " + value.typeName() + " cannot be in a policy request");
    }
}
