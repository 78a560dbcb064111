package palyra.testing.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;
import palyra.testing.wait.Await;

/**
 * A sink that keeps what it was told, who told it, and whether the rules of {@link ModelSink} were
 * kept. Thread-safe.
 */
public final class RecordingSink implements ModelSink {
    private final int listenFor;
    private final List<ModelEvent> events = new ArrayList<>(); // guarded by this
    private final List<Thread> threads = new ArrayList<>(); // guarded by this
    private boolean inside; // guarded by this
    private boolean overlapped; // guarded by this

    /** Creates a sink that listens to the end. */
    public RecordingSink() {
        this(Integer.MAX_VALUE);
    }

    private RecordingSink(int listenFor) {
        this.listenFor = listenFor;
    }

    /** Returns a sink that takes no more events after the {@code count}th. */
    public static RecordingSink leavingAfter(int count) {
        return new RecordingSink(count);
    }

    @Override
    public boolean accept(ModelEvent event) {
        enter();
        try {
            LockSupport.parkNanos(1); // gives a second caller the chance to be noticed
            return keep(event);
        } finally {
            leave();
        }
    }

    private synchronized void enter() {
        overlapped |= inside;
        inside = true;
    }

    private synchronized boolean keep(ModelEvent event) {
        events.add(event);
        threads.add(Thread.currentThread());
        return events.size() < listenFor;
    }

    private synchronized void leave() {
        inside = false;
    }

    /** Returns everything it was told so far. */
    public synchronized List<ModelEvent> events() {
        return List.copyOf(events);
    }

    /** Returns the threads that told it something. */
    public synchronized List<Thread> threads() {
        return threads.stream().distinct().toList();
    }

    /** Returns whether two threads ever told it something at one time. */
    public synchronized boolean overlapped() {
        return overlapped;
    }

    /** Returns the answer so far. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (ModelEvent event : events()) {
            if (event instanceof ModelEvent.TextDelta delta) {
                text.append(delta.text());
            }
        }
        return text.toString();
    }

    /** Returns the thoughts so far. */
    public String thoughts() {
        StringBuilder text = new StringBuilder();
        for (ModelEvent event : events()) {
            if (event instanceof ModelEvent.ThoughtDelta delta) {
                text.append(delta.text());
            }
        }
        return text.toString();
    }

    /** Returns the proposals so far. */
    public List<ToolProposal> proposals() {
        List<ToolProposal> proposals = new ArrayList<>();
        for (ModelEvent event : events()) {
            if (event instanceof ModelEvent.Proposed proposed) {
                proposals.add(proposed.proposal());
            }
        }
        return proposals;
    }

    /** Returns how the turn ended; empty while it runs. */
    public Optional<ModelEvent> ending() {
        return events().stream().filter(RecordingSink::ends).findFirst();
    }

    /** Returns whether an event ends a turn. */
    static boolean ends(ModelEvent event) {
        return event instanceof ModelEvent.Finished || event instanceof ModelEvent.Failed;
    }

    /** Waits for the end of the turn. */
    public ModelEvent awaitEnding() {
        return awaitEnding(Await.PATIENCE);
    }

    /** Waits at most {@code limit} for the end of the turn. */
    public ModelEvent awaitEnding(Duration limit) {
        return Await.value("the end of the turn after " + events(), limit, this::ending);
    }

    /** Waits for a good end; fails with what was told instead. */
    public ModelEvent.Finished awaitFinished() {
        if (awaitEnding() instanceof ModelEvent.Finished finished) {
            return finished;
        }
        throw new AssertionError("the turn was to finish well: " + awaitEnding());
    }

    /** Waits for a failure; fails with what was told instead. */
    public ModelEvent.Failed awaitFailed() {
        if (awaitEnding() instanceof ModelEvent.Failed failed) {
            return failed;
        }
        throw new AssertionError("the turn was to fail: " + awaitEnding());
    }

    /** Waits for the first event that fits. */
    public ModelEvent awaitEvent(String what, Predicate<ModelEvent> wanted) {
        return Await.value(what, () -> events().stream().filter(wanted).findFirst());
    }

    /** Waits until anything was told. */
    public void awaitAnything() {
        Await.until("the first event of the turn", () -> !events().isEmpty());
    }
}
