package palyra.skills.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.skills.internal.model.SkillId;

/** Notifies listeners of changes, one change at a time, on its own thread. Thread-safe. */
public final class ActiveSkillListeners implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveSkillListeners.class);
    private static final long END_MILLIS = 5_000;

    /** A listener may load every skill. */
    private static final Duration LONGEST_TELLING = Duration.ofMinutes(5);

    private final List<Consumer<List<SkillId>>> listeners = new CopyOnWriteArrayList<>();
    private final SupervisedTimer timer =
            new SupervisedTimer(
                    LoopSpec.of("palyra-skills-watch", "palyra.skills")
                            .withLongestStep(LONGEST_TELLING));

    /** Adds a listener; closing the returned handle removes it. */
    AutoCloseable add(Consumer<List<SkillId>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Schedules a notification; {@code active} is read when it runs. */
    void notifyListeners(Supplier<List<SkillId>> active) {
        timer.soon(() -> notifyNow(active));
    }

    /** Returns how the thread is. */
    public LoopView loop() {
        return timer.view();
    }

    private void notifyNow(Supplier<List<SkillId>> active) {
        List<SkillId> now = active.get();
        for (Consumer<List<SkillId>> listener : listeners) {
            try {
                listener.accept(now);
            } catch (RuntimeException | LinkageError e) {
                LOG.error("A listener for active skills failed.", e);
            }
        }
    }

    /** Ends the thread; waits at most five seconds for a running notification. */
    @Override
    public void close() {
        timer.finish(END_MILLIS);
    }
}
