package palyra.policy.internal.cedar;

/** What a satisfied policy says. */
public enum Effect {
    PERMIT,
    FORBID
}
