package palyra.policy.internal.plan;

import java.util.List;

/**
 * What a policy set would have changed.
 *
 * @param replayed decisions that were decided again
 * @param distinct different policy requests among them, as far as they were remembered
 * @param flipped those that would end otherwise
 * @param withoutEvidence decisions that no policies took part in
 * @param broken records, or evidence in them, that cannot be read
 * @param complete whether the whole window was read: not stopped by the limit
 * @param flips what would end otherwise, the largest group first
 * @param oldestMillis unix time in milliseconds of the oldest decision; 0 if absent
 */
public record PlanReport(
        long replayed,
        long distinct,
        long flipped,
        long withoutEvidence,
        long broken,
        boolean complete,
        List<Flip> flips,
        long oldestMillis) {
    /**
     * Calls that are alike.
     *
     * @param from what was decided
     * @param to what would be
     * @param action action
     * @param resourceType type of what it is about
     * @param principal who
     * @param policies what would determine it; empty when no policy permits it
     */
    public record Group(
            Verdict from,
            Verdict to,
            String action,
            String resourceType,
            String principal,
            String policies) {}

    /**
     * One call.
     *
     * @param reference call id, or {@code journal:SEQ}
     * @param resource what it is about
     * @param timeMillis unix time in milliseconds
     */
    public record Example(String reference, String resource, long timeMillis) {}

    /**
     * A group of decisions.
     *
     * @param already those to which the set in force would say the same
     * @param examples the newest, at most three
     */
    public record Flip(Group group, long count, long already, List<Example> examples) {
        /** Copies. */
        public Flip {
            examples = List.copyOf(examples);
        }
    }

    /** Copies. */
    public PlanReport {
        flips = List.copyOf(flips);
    }
}
