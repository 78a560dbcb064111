package palyra.skills.internal.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.skills.internal.model.SkillId;

/** Tells of changes, one at a time, on a thread of its own. Thread-safe. */
public final class Watchers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);
    private static final long END_SECONDS = 5;

    private final List<Consumer<List<SkillId>>> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread made = new Thread(task, "palyra-skills-watch");
                        made.setDaemon(true);
                        return made;
                    });

    /** Adds a listener; closing what is returned ends it. */
    AutoCloseable add(Consumer<List<SkillId>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Tells everybody soon; {@code active} is asked when it is their turn. */
    void tell(Supplier<List<SkillId>> active) {
        try {
            thread.execute(() -> telling(active));
        } catch (RejectedExecutionException e) {
            LOG.debug("Nobody is told any more: the bundle stops.");
        }
    }

    private void telling(Supplier<List<SkillId>> active) {
        List<SkillId> now = active.get();
        for (Consumer<List<SkillId>> listener : listeners) {
            try {
                listener.accept(now);
            } catch (RuntimeException e) {
                LOG.error("Somebody who watches skills failed.", e);
            }
        }
    }

    /** Ends the thread; waits for what is being told, at most five seconds. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
