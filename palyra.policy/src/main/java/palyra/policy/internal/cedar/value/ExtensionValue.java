package palyra.policy.internal.cedar.value;

/** A value of an extension type. */
public sealed interface ExtensionValue extends Value
        permits DecimalValue, IpValue, DateTimeValue, DurationValue {}
