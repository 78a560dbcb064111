package palyra.api.access;

/** What gave a decision. */
public enum DecisionSource {
    /** The fixed rules in code. */
    BUILT_IN_RULES,
    /** The policy engine. */
    POLICY,
    /** The fixed emergency list, used because nothing else gave a decision. */
    BREAK_GLASS
}
