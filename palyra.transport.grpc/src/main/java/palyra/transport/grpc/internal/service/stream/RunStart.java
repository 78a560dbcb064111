package palyra.transport.grpc.internal.service.stream;

import java.util.Optional;
import java.util.function.LongPredicate;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.RunPosition;
import palyra.api.run.Runs;
import palyra.api.run.Submission;
import palyra.shared.follow.ResumingRunFollower;
import palyra.shared.follow.RoutedSubmission;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.service.GateCalls;

/** Waits until the gateway has routed an accepted message to a run, and follows it. */
public final class RunStart {

    private RunStart() {}

    /**
     * Returns the submission with its run.
     *
     * @param pause waits that many milliseconds and returns whether the wait is over
     * @return empty when {@code pause} ended the wait
     * @throws PalyraException as {@code Runs.submission} does, such as when the message was
     *     rejected
     */
    public static Optional<Submission> routed(
            Gate<Runs> runs, Principal principal, Submission accepted, LongPredicate pause) {
        return RoutedSubmission.await(
                accepted,
                id -> GateCalls.call(runs, front -> front.submission(principal, id)),
                pause);
    }

    /** Returns a follower of a run; each attempt to follow waits for the service as a call does. */
    public static ResumingRunFollower follower(
            Gate<Runs> runs,
            Principal principal,
            String runId,
            RunPosition from,
            ResumingRunFollower.Reader reader) {
        return new ResumingRunFollower(
                (position, observer) ->
                        GateCalls.call(
                                runs, front -> front.follow(principal, runId, position, observer)),
                runId,
                from,
                reader,
                ResumingRunFollower.CLIENT_OUTAGE_MILLIS);
    }
}
