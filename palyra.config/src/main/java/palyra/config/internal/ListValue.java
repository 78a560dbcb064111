package palyra.config.internal;

import java.lang.reflect.Array;
import java.util.List;

/**
 * List of values of one type, comparable by content.
 *
 * @param type the type of each
 * @param items the values
 */
record ListValue(AttributeType type, List<Object> items) {
    ListValue {
        items = List.copyOf(items);
    }

    /** Returns them as an array of the Java type, the form that Configuration Admin takes. */
    Object toArray() {
        Object array = Array.newInstance(type.javaType(), items.size());
        for (int i = 0; i < items.size(); i++) {
            Array.set(array, i, items.get(i));
        }
        return array;
    }
}
