package palyra.policy.internal.cedar.value;

import java.util.Objects;

/** A string of Unicode scalar values. */
public record StringValue(String value) implements Value {
    public StringValue {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String typeName() {
        return "string";
    }

    @Override
    public String toString() {
        return CedarText.quote(value);
    }
}
