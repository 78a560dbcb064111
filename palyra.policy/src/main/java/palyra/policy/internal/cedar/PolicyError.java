package palyra.policy.internal.cedar;

/**
 * A policy that could not be evaluated and was therefore skipped.
 *
 * @param message what went wrong, in the words of Cedar
 */
public record PolicyError(Policy policy, String message) {}
