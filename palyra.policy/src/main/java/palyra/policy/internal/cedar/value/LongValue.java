package palyra.policy.internal.cedar.value;

/** A signed integer of 64 bits. Arithmetic that does not fit is an error of the evaluation. */
public record LongValue(long value) implements Value {

    @Override
    public String typeName() {
        return "long";
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
