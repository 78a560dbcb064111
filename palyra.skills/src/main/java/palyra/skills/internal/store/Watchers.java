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

/** Tells of changes, one at a time, on a thread of its own. Thread-safe. */
public final class Watchers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);
    private static final long END_MILLIS = 5_000;

    /** Whoever is told may load every skill. */
    private static final Duration LONGEST_TELLING = Duration.ofMinutes(5);

    private final List<Consumer<List<SkillId>>> listeners = new CopyOnWriteArrayList<>();
    private final SupervisedTimer timer =
            new SupervisedTimer(
                    LoopSpec.of("palyra-skills-watch", "palyra.skills")
                            .withLongestStep(LONGEST_TELLING));

    /** Adds a listener; closing what is returned ends it. */
    AutoCloseable add(Consumer<List<SkillId>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Tells everybody soon; {@code active} is asked when it is their turn. */
    void tell(Supplier<List<SkillId>> active) {
        timer.soon(() -> telling(active));
    }

    /** Returns how the thread is. */
    public LoopView loop() {
        return timer.view();
    }

    private void telling(Supplier<List<SkillId>> active) {
        List<SkillId> now = active.get();
        for (Consumer<List<SkillId>> listener : listeners) {
            try {
                listener.accept(now);
            } catch (RuntimeException | LinkageError e) {
                LOG.error("Somebody who watches skills failed.", e);
            }
        }
    }

    /** Ends the thread; waits for what is being told, at most five seconds. */
    @Override
    public void close() {
        timer.finish(END_MILLIS);
    }
}
