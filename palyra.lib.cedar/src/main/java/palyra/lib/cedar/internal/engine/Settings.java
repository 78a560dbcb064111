package palyra.lib.cedar.internal.engine;

import palyra.lib.cedar.PolicySetLimits;

/**
 * What an operator can set.
 *
 * @param limits bounds on texts
 * @param deadlineMillis how long a caller waits at most
 * @param maxPreparedSets policy sets that may be prepared at the same time
 */
public record Settings(PolicySetLimits limits, long deadlineMillis, int maxPreparedSets) {}
