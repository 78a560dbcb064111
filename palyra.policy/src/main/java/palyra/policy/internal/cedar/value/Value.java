package palyra.policy.internal.cedar.value;

/**
 * A value of Cedar. Immutable. {@code equals} is Cedar's {@code ==}: values of different types are
 * unequal, never an error. {@code toString} is the value in Cedar's syntax.
 */
public sealed interface Value
        permits BoolValue,
                LongValue,
                StringValue,
                EntityUid,
                SetValue,
                RecordValue,
                ExtensionValue {

    /** The type as Cedar names it in its error messages. */
    String typeName();
}
