package palyra.shell.internal.commands;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.Following;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.tape.TapeEvent;
import palyra.shell.internal.host.Seams;

/**
 * Follows a run to its end, through swaps of whatever lies between: it attaches again where the
 * last turn began and leaves out what was shown, so the view sees each thing once.
 */
final class RunStream {
    /** How long nothing may be heard of the service before following is given up. */
    private static final long GIVE_UP_MILLIS = 60_000;

    private static final long CHECK_MILLIS = 500;

    /** Where the run is shown. Called from one thread at a time; may block. */
    interface View {
        void text(int turn, boolean thought, String text);

        /** What was shown of the turn's answer is void. */
        void dropped(int turn, String reason);

        void recorded(RunEvent.Recorded recorded);

        /** The run waits; the reason is empty when it goes on. */
        void waiting(RunEvent.Waiting waiting);
    }

    private final Seams seams;
    private final Principal principal;
    private final String runId;
    private final View view;

    // The rest is guarded by this.
    private final ShownText answer;
    private final ShownText thought;
    private Attachment current;
    private long lastSeq;
    private long resumeSeq;
    private int resumeTurn;
    private boolean streaming;
    private RunEvent.Ended ended;

    RunStream(Seams seams, Principal principal, String runId, long afterSeq, View view) {
        this.seams = seams;
        this.principal = principal;
        this.runId = runId;
        this.lastSeq = afterSeq;
        this.resumeSeq = afterSeq;
        this.view = view;
        this.answer = new ShownText(screen(view, false));
        this.thought = new ShownText(screen(view, true));
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
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long lastHeard = System.nanoTime();
        while (millis == 0 || System.nanoTime() - deadline < 0) {
            Attachment attachment = attach();
            attachment.hold(millis == 0 ? Long.MAX_VALUE : deadline - System.nanoTime());
            if (attachment.failure != null) {
                throw attachment.failure;
            }
            Optional<RunEvent.Ended> end = ended();
            if (end.isPresent()) {
                return end;
            }
            if (attachment.progressed) {
                lastHeard = System.nanoTime();
            } else {
                TimeUnit.MILLISECONDS.sleep(CHECK_MILLIS);
            }
            giveUpAfter(lastHeard, attachment.reason);
        }
        return ended();
    }

    private synchronized Optional<RunEvent.Ended> ended() {
        return Optional.ofNullable(ended);
    }

    private static void giveUpAfter(long lastHeard, String reason) {
        if (System.nanoTime() - lastHeard > TimeUnit.MILLISECONDS.toNanos(GIVE_UP_MILLIS)) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "The run can no longer be followed ("
                            + reason
                            + "); it goes on by itself, follow it later with palyra run follow.");
        }
    }

    private synchronized Attachment attach() {
        current = new Attachment(resumeSeq);
        answer.attached();
        thought.attached();
        return current;
    }

    /** One attempt to follow; events of an earlier one are ignored. */
    private final class Attachment implements RunObserver {
        private final long from;
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile RuntimeException failure;
        private volatile String reason = "the connection to it ended";
        private volatile boolean progressed;

        Attachment(long from) {
            this.from = from;
        }

        /** Follows until the end, a loss of contact or the passing of {@code nanos}. */
        void hold(long nanos) throws InterruptedException {
            long begin = System.nanoTime();
            try (Following following =
                    seams.runs().call(runs -> runs.follow(principal, runId, from, this))) {
                while (!isOver(following) && System.nanoTime() - begin < nanos) {
                    // Each look waits a little.
                }
            } catch (PalyraException e) {
                if (e.code().kind() != ErrorCode.Kind.UNAVAILABLE) {
                    throw e;
                }
                reason = e.getMessage();
            }
        }

        /** Waits a little; a following that ended without a word counts as lost. */
        boolean isOver(Following following) throws InterruptedException {
            if (over.await(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (!following.await(0)) {
                return false;
            }
            over.await(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        }

        @Override
        public void onEvent(RunEvent event) {
            synchronized (RunStream.this) {
                if (current != this || failure != null) {
                    return;
                }
                progressed = true;
                try {
                    take(event);
                } catch (RuntimeException e) {
                    failure = e;
                    over.countDown();
                    throw e;
                }
                if (event instanceof RunEvent.Ended) {
                    over.countDown();
                }
            }
        }

        @Override
        public void onInterrupted(String why) {
            reason = why;
            over.countDown();
        }
    }

    private void take(RunEvent event) {
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
            case RunEvent.Ended end -> {
                answer.settle();
                ended = end;
            }
        }
    }

    private void recorded(RunEvent.Recorded recorded) {
        if (recorded.seq() <= lastSeq) {
            return;
        }
        lastSeq = recorded.seq();
        switch (recorded.event()) {
            case TapeEvent.TurnStarted started -> begins(started.turn(), recorded.seq());
            case TapeEvent.TurnRestarted again -> {
                answer.restarted(again.turn(), again.attempt(), again.reason());
                thought.restarted(again.turn(), again.attempt(), again.reason());
            }
            case TapeEvent.TurnFinished finished -> {
                answer.settle();
                streaming = false;
                resumeSeq = recorded.seq();
            }
            default -> resumeSeq = streaming ? resumeSeq : recorded.seq();
        }
        view.recorded(recorded);
    }

    /** To follow again is to follow from before the turn: then its text comes whole. */
    private void begins(int turn, long seq) {
        if (turn > resumeTurn) {
            resumeTurn = turn;
            resumeSeq = seq - 1;
        }
        streaming = true;
    }
}
