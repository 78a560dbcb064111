package palyra.policy.internal.cedar.value;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A record: names to values. Also the attributes and the tags of an entity. */
public final class RecordValue implements Value {
    public static final RecordValue EMPTY = new RecordValue(Map.of());

    private final Map<String, Value> fields;
    private final int hash;

    private RecordValue(Map<String, Value> fields) {
        this.fields = fields;
        this.hash = fields.hashCode();
    }

    public static RecordValue of(Map<String, ? extends Value> fields) {
        return fields.isEmpty() ? EMPTY : new RecordValue(Map.copyOf(fields));
    }

    /** The value of that name, or null if the record has no such name. */
    public Value get(String name) {
        return fields.get(name);
    }

    public boolean has(String name) {
        return fields.get(name) != null;
    }

    public Set<String> names() {
        return fields.keySet();
    }

    @Override
    public String typeName() {
        return "record";
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof RecordValue map
                        && hash == map.hash
                        && fields.equals(map.fields));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .map(e -> CedarText.quote(e.getKey()) + ": " + e.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
    }
}
