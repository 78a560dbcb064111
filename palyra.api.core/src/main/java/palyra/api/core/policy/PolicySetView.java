package palyra.api.core.policy;

import palyra.api.Require;

/**
 * A policy set.
 *
 * @param sha256 digest over its files, lower-case hex
 * @param epoch how many sets were in force in this process up to this one; 0 when it is not in
 *     force
 * @param policies how many policies it has
 * @param files how many files it was read from
 * @param origin where it came from: {@code files}, {@code rollback}, {@code apply}, {@code start}
 * @param loadedAtMillis unix time in milliseconds when it came into force last
 * @param loadedBy principal that brought it into force, {@code local-files} when a saved file did
 */
public record PolicySetView(
        String sha256,
        long epoch,
        int policies,
        int files,
        String origin,
        long loadedAtMillis,
        String loadedBy) {
    /** Checks. */
    public PolicySetView {
        Require.text(sha256, "policy set digest");
        origin = Require.orEmpty(origin);
        loadedBy = Require.orEmpty(loadedBy);
    }
}
