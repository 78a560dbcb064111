package palyra.lib.cedar;

/**
 * How the engine is.
 *
 * @param available whether there is a native library for this machine and it was loaded
 * @param reason a sentence saying why not; empty when available
 * @param languageVersion version of the Cedar language; empty when not available
 * @param waiting calls that wait for their turn on either thread
 * @param busyMillis how long the call under way has taken, the longer of two; 0 if absent
 * @param preparedSets policy sets that are prepared and not closed
 */
public record CedarStatus(
        boolean available,
        String reason,
        String languageVersion,
        int waiting,
        long busyMillis,
        int preparedSets) {}
