package palyra.shell.internal.approvals;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalView;
import palyra.api.command.CommandContext;
import palyra.api.tape.TapeEvent;
import palyra.shell.internal.host.OutputClosedException;
import palyra.shell.internal.host.Seams;

/**
 * Where the questions of a run that is being followed meet the person at the terminal. Without a
 * terminal, or with JSON, it says how to answer. What was typed before a question was shown never
 * answers it. Works on a thread of its own; thread-safe.
 */
public final class TerminalApprovals implements AutoCloseable {
    private static final long END_MILLIS = 2_000;
    private static final int MOST_OPEN = 100;

    /** Where questions are shown; called from the desk's thread. */
    public interface Screen {
        /** Writes a line. */
        void note(String text);

        /** Writes a line that an answer is typed at. */
        default void ask(String text) {
            note(text);
        }

        /** A line was typed, which ended the line that was asked at. */
        default void entered() {}

        /** What was typed so far is to be thrown away. */
        default void fresh() {}
    }

    private final Seams seams;
    private final CommandContext context;
    private final Prompter prompter;
    private final BlockingQueue<Runnable> signals = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::work, "palyra-approval-desk");
    private final boolean listening;

    private final ReentrantLock lock = new ReentrantLock();
    private InputLines input; // guarded by lock; null before the first question
    private boolean started; // guarded by lock
    private volatile boolean closed;

    /** Creates a desk; it does nothing before the first question. */
    public TerminalApprovals(Seams seams, CommandContext context, Screen screen) {
        this.seams = seams;
        this.context = context;
        this.listening = context.interactive() && !context.json();
        this.prompter = new Prompter(seams, context.principal(), new Listening(screen), listening);
        thread.setDaemon(true);
    }

    /** Shows what waits in a run already, for somebody who comes to it again. */
    public void lookAt(String runId) {
        signal(
                () -> {
                    try {
                        List<ApprovalView> waiting =
                                seams.approvals()
                                        .call(
                                                a ->
                                                        a.pending(
                                                                context.principal(),
                                                                runId,
                                                                "",
                                                                MOST_OPEN));
                        waiting.forEach(each -> prompter.asked(each.approvalId()));
                    } catch (PalyraException e) {
                        // Its records tell the same as they are followed.
                    }
                });
    }

    /** Takes a record of the run; returns at once. */
    public void recorded(TapeEvent event) {
        switch (event) {
            case TapeEvent.ApprovalRequest e -> signal(() -> prompter.asked(e.approvalId()));
            case TapeEvent.ApprovalDecision e -> signal(() -> prompter.answered(e));
            case TapeEvent.ApprovalVoted e -> signal(() -> prompter.voted(e));
            default -> {}
        }
    }

    /** Returns whether the run waits for an answer to a question that was shown here. */
    public boolean waiting() {
        return prompter.waiting();
    }

    private void signal(Runnable what) {
        lock.lock();
        try {
            if (!started && !closed) {
                started = true;
                thread.start();
            }
        } finally {
            lock.unlock();
        }
        signals.add(what);
    }

    private void work() {
        try {
            while (!closed) {
                signals.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (OutputClosedException e) {
            // Nobody reads any more: nothing is to be asked.
        }
    }

    /** Reads while something is asked, and forgets what was typed before. */
    private final class Listening implements Screen {
        private final Screen screen;

        Listening(Screen screen) {
            this.screen = screen;
        }

        @Override
        public void note(String text) {
            screen.note(text);
        }

        @Override
        public void ask(String text) {
            screen.ask(text);
        }

        @Override
        public void entered() {
            screen.entered();
        }

        @Override
        public void fresh() {
            if (listening) {
                listen();
            }
        }
    }

    /** A line that somebody typed. */
    private record Typed(Prompter prompter, String line) implements Runnable {
        @Override
        public void run() {
            prompter.typed(line);
        }
    }

    /** Listens from now on; what was typed before, on its way or not, is nothing. */
    private void listen() {
        InputLines lines = lines();
        if (lines != null) {
            lines.forget();
            signals.removeIf(Typed.class::isInstance);
        }
    }

    /** Returns who reads; null when the desk is closed. */
    private InputLines lines() {
        lock.lock();
        try {
            if (input == null && !closed) {
                input =
                        InputLines.of(
                                context.in(),
                                line -> signal(new Typed(prompter, line)),
                                () -> signal(prompter::deaf));
            }
            return closed ? null : input;
        } finally {
            lock.unlock();
        }
    }

    /** Stops asking; what waits stays open. Idempotent. */
    @Override
    public void close() {
        InputLines reader;
        lock.lock();
        try {
            closed = true;
            reader = input;
        } finally {
            lock.unlock();
        }
        if (reader != null) {
            reader.close();
        }
        thread.interrupt();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
