package palyra.channels.internal.route;

/** What becomes of a message. */
public sealed interface RouteDecision {
    /**
     * It is answered.
     *
     * @param rule rule that says so
     * @param principal on whose behalf its run works
     * @param sessionKey key of the session within the principal
     */
    record Routed(RouteRule rule, String principal, String sessionKey) implements RouteDecision {}

    /**
     * It is not answered.
     *
     * @param reason code, such as {@code sender_denied}
     * @param explanation one sentence for the operator
     */
    record Ignored(String reason, String explanation) implements RouteDecision {}

    /** A direct message of a sender who has to be paired first. */
    record NeedsPairing(RouteRule rule) implements RouteDecision {}
}
