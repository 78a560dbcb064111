package palyra.shell.internal.commands;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.tape.TapeEvent;
import palyra.shared.follow.LostContact;
import palyra.shared.follow.ResumingRunFollower;
import palyra.shell.internal.host.Seams;

/**
 * Shows a run until it ends, also while services are replaced. The view sees each piece once: text
 * that is dropped and comes again the same is left out.
 */
final class RunStream implements ResumingRunFollower.Reader {
    /** How long the service may not answer before following is given up. */
    private static final long GIVE_UP_MILLIS = 60_000;

    private static final long UNLIMITED_NANOS = TimeUnit.DAYS.toNanos(36_500);

    /** Where the run is shown. Called from one thread at a time; may block. */
    interface View {
        void text(int turn, boolean thought, String text);

        /** What was shown of the turn's answer is void. */
        void dropped(int turn, String reason);

        void recorded(RunEvent.Recorded recorded);

        /** The run waits; the reason is empty when it goes on. */
        void waiting(RunEvent.Waiting waiting);
    }

    private final View view;
    private final ShownText answer;
    private final ShownText thought;
    private final ResumingRunFollower follower;
    private volatile RuntimeException viewFailure; // null while the view works

    RunStream(Seams seams, Principal principal, String runId, long afterSeq, View view) {
        this.view = view;
        this.answer = new ShownText(screen(view, false));
        this.thought = new ShownText(screen(view, true));
        this.follower =
                new ResumingRunFollower(
                        (from, observer) ->
                                seams.runs()
                                        .call(
                                                runs ->
                                                        runs.follow(
                                                                principal, runId, from, observer)),
                        runId,
                        RunPosition.after(afterSeq),
                        this,
                        GIVE_UP_MILLIS);
    }

    private static ShownText.Screen screen(View view, boolean isThought) {
        return new ShownText.Screen() {
            @Override
            public void text(int turn, String text) {
                view.text(turn, isThought, text);
            }

            @Override
            public void dropped(int turn, String reason) {
                if (!isThought) {
                    view.dropped(turn, reason);
                }
            }
        };
    }

    /**
     * Follows until the run has ended or {@code millis} passed; 0 means without end. May be called
     * again after an interrupt.
     *
     * @return how it ended; empty when the time passed first
     */
    Optional<RunEvent.Ended> follow(long millis) throws InterruptedException {
        long limit = millis == 0 ? UNLIMITED_NANOS : TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            return follower.follow(System.nanoTime() + limit);
        } catch (LostContact e) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "The run can no longer be followed ("
                            + e.reason()
                            + "); it goes on by itself, follow it later with palyra run follow.",
                    e);
        } catch (IllegalStateException e) {
            throw viewFailure == null ? e : viewFailure;
        }
    }

    @Override
    public void take(RunEvent event) {
        try {
            show(event);
        } catch (RuntimeException e) {
            viewFailure = e;
            throw new IllegalStateException("the view failed", e); // is not tried again
        }
    }

    private void show(RunEvent event) {
        switch (event) {
            case RunEvent.Text text ->
                    (text.thought() ? thought : answer)
                            .text(text.turn(), text.attempt(), text.text());
            case RunEvent.Dropped dropped -> {
                answer.dropped(dropped.turn(), dropped.reason());
                thought.dropped(dropped.turn(), dropped.reason());
            }
            case RunEvent.Recorded recorded -> recorded(recorded);
            case RunEvent.Waiting waiting -> view.waiting(waiting);
            case RunEvent.Ended end -> answer.settle();
        }
    }

    private void recorded(RunEvent.Recorded recorded) {
        if (recorded.event() instanceof TapeEvent.TurnRestarted again) {
            answer.restarted(again.turn(), again.attempt(), again.reason());
            thought.restarted(again.turn(), again.attempt(), again.reason());
        } else if (recorded.event() instanceof TapeEvent.TurnFinished) {
            answer.settle();
        }
        view.recorded(recorded);
    }
}
