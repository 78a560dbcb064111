package palyra.policy.internal.cedar.json;

import java.util.Map;

/** The type a schema gives to a value. */
sealed interface SchemaType {

    /** One of the three plain types. */
    enum Plain implements SchemaType {
        BOOL,
        LONG,
        STRING
    }

    /** A set of values of one type. */
    record SetOf(SchemaType element) implements SchemaType {}

    /** A record with exactly these fields. */
    record RecordOf(Map<String, Field> fields) implements SchemaType {
        static final RecordOf EMPTY = new RecordOf(Map.of());

        public RecordOf {
            fields = Map.copyOf(fields);
        }
    }

    /** A field of a record. */
    record Field(SchemaType type, boolean required) {}

    /** A reference to an entity of that type. */
    record EntityOf(String type) implements SchemaType {}

    /**
     * A value of an extension.
     *
     * @param constructor the function that makes one from a text
     * @param name the type as values call it
     */
    record Extension(String constructor, String name) implements SchemaType {}
}
