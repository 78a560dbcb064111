package palyra.policy.internal.decide;

/**
 * What an engine did since it was made.
 *
 * @param decisions answers given
 * @param denied of them denials
 * @param approvals of them asking for an approval
 * @param confirmed sensitive allows that the native engine confirmed
 * @param refused sensitive allows that it did not confirm, or failed on
 * @param unconfirmed sensitive allows given without it
 * @param shadowed decisions compared with the native engine afterwards
 * @param shadowSkipped decisions that should have been compared but were not
 * @param differences decisions on which the engines differed
 */
public record EngineCounts(
        long decisions,
        long denied,
        long approvals,
        long confirmed,
        long refused,
        long unconfirmed,
        long shadowed,
        long shadowSkipped,
        long differences) {}
