package palyra.console.internal.run.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.tape.TapeEvent;
import palyra.shared.follow.LostContact;
import palyra.shared.follow.ResumingRunFollower;
import palyra.shared.gate.Gate;

/**
 * Follows a run for a tab, and when it has ended the next run of the same session, if one is named.
 * Events go to the tab's queue, each once and in order; a full queue holds back this follower
 * alone. Used by one thread; {@link #stop} by any.
 */
final class FollowedRun implements ResumingRunFollower.Reader {
    private static final int PAGE = 50;

    /**
     * What a tab follows.
     *
     * @param from run and position to begin after
     * @param sessionId session whose later runs are followed too; empty for the one run alone
     */
    record Target(EventId from, String sessionId) {}

    private final Gate<Runs> runs;
    private final Principal viewer;
    private final TabQueue queue;
    private final String sessionId;
    private final Deque<byte[]> taken = new ArrayDeque<>();
    private EventId at;
    private volatile ResumingRunFollower follower;
    private volatile boolean stopped;

    FollowedRun(Gate<Runs> runs, Principal viewer, TabQueue queue, Target target) {
        this.runs = runs;
        this.viewer = viewer;
        this.queue = queue;
        this.sessionId = target.sessionId();
        this.at = target.from();
    }

    /** Follows to the end of the run, then returns whether it ended; false when it was stopped. */
    boolean follow() throws InterruptedException {
        ResumingRunFollower now =
                new ResumingRunFollower(
                        (from, observer) ->
                                runs.call(
                                        front -> front.follow(viewer, at.runId(), from, observer)),
                        at.runId(),
                        at.position(),
                        this,
                        ResumingRunFollower.CLIENT_OUTAGE_MILLIS);
        follower = now;
        if (stopped) {
            return false;
        }
        try {
            return now.follow().isPresent();
        } catch (LostContact e) {
            queue.close(); // the browser connects again, and is checked again
            return false;
        } catch (PalyraException e) {
            gone(e);
            return e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.DENIED;
        } catch (IllegalArgumentException e) {
            gone(e); // the run has no such position: to connect again would bring no other answer
            return false;
        }
    }

    /** Tells the page why the run is not followed any more. */
    void gone(RuntimeException reason) throws InterruptedException {
        queue.put(Frames.about("run-gone", at.runId(), Require.orEmpty(reason.getMessage())));
    }

    /** Goes on with the next run of the session; returns whether it has one. */
    boolean next() throws InterruptedException {
        if (sessionId.isEmpty()) {
            return false;
        }
        List<RunView> newest = runs.call(front -> front.runs(viewer, sessionId, "", PAGE));
        Optional<String> next = following(newest, at.runId());
        if (next.isEmpty()) {
            return false;
        }
        at = new EventId(next.get(), RunPosition.START);
        queue.put(Frames.about("run-next", at.runId(), ""));
        return true;
    }

    /** Returns the run after another one; {@code newestFirst} has it as the one before. */
    static Optional<String> following(List<RunView> newestFirst, String runId) {
        String later = "";
        for (RunView run : newestFirst) {
            if (run.runId().equals(runId)) {
                break;
            }
            later = run.runId();
        }
        return later.isEmpty() ? Optional.empty() : Optional.of(later);
    }

    boolean hasSession() {
        return !sessionId.isEmpty();
    }

    /** Ends following soon. */
    void stop() {
        stopped = true;
        ResumingRunFollower now = follower;
        if (now != null) {
            now.stop();
        }
    }

    @Override
    public void take(RunEvent event) {
        EventId after = new EventId(at.runId(), after(at.position(), event));
        taken.add(Frames.of(after, event));
        at = after;
    }

    /** After the start of an attempt, no text of it was received yet. */
    private static RunPosition after(RunPosition position, RunEvent event) {
        RunPosition next = position.advance(event);
        return event instanceof RunEvent.Recorded recorded
                        && recorded.event() instanceof TapeEvent.TurnStarted started
                        && !(next.turn() == started.turn() && next.attempt() == started.attempt())
                ? new RunPosition(next.seq(), started.turn(), started.attempt(), 0, 0)
                : next;
    }

    @Override
    public void flush() throws InterruptedException {
        while (!taken.isEmpty()) {
            if (!queue.put(taken.peek())) {
                stop();
                return;
            }
            taken.remove();
        }
    }
}
