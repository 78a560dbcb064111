package palyra.policy.internal.set;

/**
 * Under which circumstances a set would come into force.
 *
 * @param epoch its number; 0 when it is only looked at
 * @param origin where it comes from, as in {@link palyra.api.core.policy.PolicySetView}
 * @param who principal that brings it
 * @param millis unix time in milliseconds
 */
record Activation(long epoch, String origin, String who, long millis) {
    static final Activation NONE = new Activation(0, "", "", 0);
}
