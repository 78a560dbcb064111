package palyra.shared.follow;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongPredicate;
import palyra.api.PalyraException;
import palyra.api.run.Submission;

/** Waits until the gateway has routed an accepted message to a run. */
public final class RoutedSubmission {
    private static final long FIRST_LOOK_MILLIS = 10;
    private static final long LAST_LOOK_MILLIS = 500;

    private RoutedSubmission() {}

    /**
     * Returns the submission with its run.
     *
     * @param look asks for the submission of a message id, as {@code Runs.submission} does
     * @param pause waits that many milliseconds and returns whether the wait is over
     * @return empty when {@code pause} ended the wait
     * @throws PalyraException as {@code Runs.submission} does, such as when the message was
     *     rejected
     */
    public static Optional<Submission> await(
            Submission accepted, Function<String, Submission> look, LongPredicate pause) {
        Submission now = accepted;
        long lookMillis = FIRST_LOOK_MILLIS;
        Outage outage = new Outage(ResumingRunFollower.CLIENT_OUTAGE_MILLIS);
        while (now.runId().isEmpty()) {
            if (pause.test(lookMillis)) {
                return Optional.empty();
            }
            lookMillis = Math.min(LAST_LOOK_MILLIS, 2 * lookMillis);
            try {
                now = look.apply(accepted.messageId());
                outage.answered();
            } catch (PalyraException e) {
                if (!Outage.isTemporary(e, true) || outage.isTooLong()) {
                    throw e;
                }
            }
        }
        return Optional.of(now);
    }
}
