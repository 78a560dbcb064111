package palyra.policy.internal.cedar.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.LongValue;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * Turns plain Java objects into values. Entities and extension values must already be {@link
 * Value}s; maps can never become one, so data from outside cannot forge them.
 */
public final class JavaValues {
    private JavaValues() {}

    /**
     * @param map names to booleans, integers, texts, collections, maps and values
     * @throws CedarFormatException if something else is found, or a reserved name
     */
    public static RecordValue record(Map<String, ?> map) {
        return record(map, "the data", 0);
    }

    /** As {@link #record}, of one object. */
    public static Value value(Object object) {
        return value(object, "the data", 0);
    }

    private static Value value(Object object, String place, int depth) {
        if (depth > ValueReader.MAX_DEPTH) {
            throw new CedarFormatException(
                    place + ": nested deeper than " + ValueReader.MAX_DEPTH + " levels.");
        }
        return switch (object) {
            case Value value -> value;
            case Boolean bool -> BoolValue.of(bool);
            case Long number -> new LongValue(number);
            case Integer number -> new LongValue(number);
            case String text -> new StringValue(text);
            case Collection<?> elements -> set(elements, place, depth);
            case Map<?, ?> map -> record(map, place, depth);
            case null -> throw new CedarFormatException(place + ": there is no value for null.");
            default ->
                    throw new CedarFormatException(
                            place + ": there is no value for a " + object.getClass().getName());
        };
    }

    private static SetValue set(Collection<?> elements, String place, int depth) {
        List<Value> values = new ArrayList<>(elements.size());
        for (Object element : elements) {
            values.add(value(element, place + "[" + values.size() + "]", depth + 1));
        }
        return SetValue.of(values);
    }

    private static RecordValue record(Map<?, ?> map, String place, int depth) {
        Map<String, Value> fields = HashMap.newHashMap(map.size());
        map.forEach(
                (key, value) -> {
                    if (!(key instanceof String name) || ValueReader.isReserved(name)) {
                        throw new CedarFormatException(
                                place + ": \"" + key + "\" is not accepted as a name.");
                    }
                    fields.put(name, value(value, place + "." + name, depth + 1));
                });
        return RecordValue.of(fields);
    }
}
