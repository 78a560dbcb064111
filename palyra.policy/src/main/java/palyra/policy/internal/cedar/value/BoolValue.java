package palyra.policy.internal.cedar.value;

/** True or false. There are two instances. */
public enum BoolValue implements Value {
    FALSE,
    TRUE;

    public static BoolValue of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public boolean isTrue() {
        return this == TRUE;
    }

    @Override
    public String typeName() {
        return "bool";
    }

    @Override
    public String toString() {
        return this == TRUE ? "true" : "false";
    }
}
