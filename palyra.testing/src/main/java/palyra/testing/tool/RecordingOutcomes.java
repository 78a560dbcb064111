package palyra.testing.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import palyra.api.core.tools.ToolOutcome;
import palyra.testing.wait.Await;

/** A sink for outcomes that keeps them, and the threads that brought them. Thread-safe. */
public final class RecordingOutcomes implements Consumer<ToolOutcome> {
    private final List<ToolOutcome> outcomes = new ArrayList<>(); // guarded by this
    private final List<Thread> threads = new ArrayList<>(); // guarded by this

    @Override
    public synchronized void accept(ToolOutcome outcome) {
        outcomes.add(outcome);
        threads.add(Thread.currentThread());
    }

    /** Returns the outcomes so far. */
    public synchronized List<ToolOutcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** Returns the threads that brought them. */
    public synchronized List<Thread> threads() {
        return List.copyOf(threads);
    }

    /** Waits for the first outcome. */
    public ToolOutcome await() {
        return Await.value("the outcome of a call", () -> outcomes().stream().findFirst());
    }
}
