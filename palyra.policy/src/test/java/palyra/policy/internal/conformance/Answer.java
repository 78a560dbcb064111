package palyra.policy.internal.conformance;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What an engine says to a request, or what it should say.
 *
 * @param allowed the decision
 * @param determining policies that determined it, as the corpus counts them: {@code policy0} …
 * @param errors policies that failed
 * @param trouble why there is no decision; empty when there is one
 */
record Answer(
        boolean allowed, SortedSet<String> determining, SortedSet<String> errors, String trouble) {

    static Answer of(boolean allowed, Collection<String> determining, Collection<String> errors) {
        return new Answer(allowed, new TreeSet<>(determining), new TreeSet<>(errors), "");
    }

    static Answer none(String trouble) {
        return new Answer(false, new TreeSet<>(), new TreeSet<>(), trouble);
    }

    @Override
    public String toString() {
        return trouble.isEmpty()
                ? (allowed ? "allow" : "deny")
                        + " by "
                        + determining
                        + (errors.isEmpty() ? "" : ", errors in " + errors)
                : "no decision: " + trouble;
    }
}
