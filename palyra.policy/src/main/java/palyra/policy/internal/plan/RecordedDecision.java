package palyra.policy.internal.plan;

/**
 * A decision as the journal keeps it.
 *
 * @param reference its place: a call id, or {@code journal:SEQ}
 * @param timeMillis unix time in milliseconds when it was recorded
 * @param verdict what was decided
 * @param evidenceJson the policy request; empty when no policies decided
 */
record RecordedDecision(String reference, long timeMillis, Verdict verdict, String evidenceJson) {}
