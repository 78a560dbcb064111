package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView.State;
import palyra.testing.wait.Await;

@Timeout(60)
class WorkerTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();

    private void firstFailsOnce() {
        if (begun.incrementAndGet() == 1) {
            throw new NoClassDefFoundError("first");
        }
    }

    @Test
    void anErrorOfTheFirstWorkIsFollowedByTheSameAndOneOfLaterWorkByTheNext() {
        try (Worker worker = new Worker("palyra-policy-test", 10, looks::incrementAndGet)) {
            worker.begin(this::firstFailsOnce);
            assertEquals("done", worker.call(() -> "done", 30_000));
            assertEquals(2, begun.get(), "what is first comes before all else");
            assertEquals("NoClassDefFoundError: first", worker.loop().lastFailure());
            worker.later(
                    () -> {
                        throw new AssertionError("later");
                    });
            assertEquals("again", worker.call(() -> "again", 30_000));
            assertEquals(2, worker.loop().restarts());
            int before = looks.get();
            Await.until("a look around", () -> looks.get() > before);
            worker.close();
            assertEquals(State.STOPPED, worker.loop().state());
            assertThrows(PalyraException.class, () -> worker.call(() -> "", 1_000));
        }
    }

    @Test
    void aFolderIsWatchedAfterAnError(@TempDir Path folder) throws Exception {
        AtomicInteger told = new AtomicInteger();
        FolderWatcher watch =
                new FolderWatcher(
                        List.of(folder),
                        () -> {
                            if (told.incrementAndGet() == 1) {
                                throw new AssertionError("made up");
                            }
                        });
        watch.begin();
        try {
            Files.createFile(folder.resolve("one"));
            Await.until("the Error", () -> watch.loops().get(0).restarts() == 1);
            Files.createFile(folder.resolve("two"));
            Await.until("the next change", () -> told.get() >= 2);
        } finally {
            watch.close();
        }
    }
}
