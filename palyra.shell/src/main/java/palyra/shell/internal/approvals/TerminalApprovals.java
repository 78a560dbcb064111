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
 * Shows the approval requests of a followed run at the terminal and reads answers. Without a
 * terminal, or with JSON, it shows how to answer. Input from before a request was shown never
 * answers it. Uses its own thread; thread-safe.
 */
public final class TerminalApprovals implements AutoCloseable {
    private static final long END_MILLIS = 2_000;
    private static final int MOST_OPEN = 100;

    /** Output of requests; called from the thread of this class. */
    public interface Screen {
        /** Writes a line. */
        void note(String text);

        /** Writes a line that an answer is typed at. */
        default void ask(String text) {
            note(text);
        }

        /** A typed line ended the prompt line. */
        default void entered() {}

        /** Input so far is to be dropped. */
        default void fresh() {}
    }

    private final Seams seams;
    private final CommandContext context;
    private final ApprovalPrompter prompter;
    private final BlockingQueue<Runnable> signals = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::work, "palyra-approval-desk");
    private final boolean listening;

    private final ReentrantLock lock = new ReentrantLock();
    private InputLines input; // guarded by lock; null before the first question
    private boolean started; // guarded by lock
    private volatile boolean closed;

    /** Creates an instance; it does nothing before the first request. */
    public TerminalApprovals(Seams seams, CommandContext context, Screen screen) {
        this.seams = seams;
        this.context = context;
        this.listening = context.interactive() && !context.json();
        this.prompter =
                new ApprovalPrompter(seams, context.principal(), new Listening(screen), listening);
        thread.setDaemon(true);
    }

    /** Shows the requests that are pending already. */
    public void showPending(String runId) {
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
                        // The followed records show the same.
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

    /** Returns whether the run waits for an answer to a request shown here. */
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
            // The output is closed: no request is shown.
        }
    }

    /** Reads while a request is shown; drops earlier input. */
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

    /** A typed line. */
    private record Typed(ApprovalPrompter prompter, String line) implements Runnable {
        @Override
        public void run() {
            prompter.lineTyped(line);
        }
    }

    /** Starts to read; drops earlier input. */
    private void listen() {
        InputLines lines = lines();
        if (lines != null) {
            lines.forget();
            signals.removeIf(Typed.class::isInstance);
        }
    }

    /** Returns the reader; null when this was closed. */
    private InputLines lines() {
        lock.lock();
        try {
            if (input == null && !closed) {
                input =
                        InputLines.of(
                                context.in(),
                                line -> signal(new Typed(prompter, line)),
                                () -> signal(prompter::inputEnded));
            }
            return closed ? null : input;
        } finally {
            lock.unlock();
        }
    }

    /** Stops; pending requests stay open. Idempotent. */
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
