package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.ops.LoopView;
import palyra.testing.journal.MemoryJournal;

class VaultWorkerTest {
    @TempDir Path state;

    @Test
    void anErrorIsSeenAndTheValuesAreLearnedNevertheless() throws Exception {
        try (VaultFixture house = new VaultFixture(state, new MemoryJournal())) {
            AtomicInteger told = new AtomicInteger();
            CountDownLatch learned = new CountDownLatch(1);
            VaultWorker work =
                    new VaultWorker(
                            house.opening,
                            house.core,
                            house.rotation,
                            vault -> {
                                if (told.incrementAndGet() == 1) {
                                    throw new AssertionError("made up");
                                }
                            },
                            learned::countDown);
            work.begin();
            assertTrue(learned.await(30, TimeUnit.SECONDS), "begun again");
            LoopView loop = work.loop();
            assertEquals(1, loop.restarts());
            assertEquals("AssertionError: made up", loop.lastFailure());
            assertEquals(2, told.get());
            work.end();
            assertEquals(LoopView.State.STOPPED, work.loop().state());
        }
    }

    /** An empty vault in place of the one that the journal knows finds no secret in any text. */
    @Test
    void aVaultThatIsNotTheJournalsOffersNothing() throws Exception {
        MemoryJournal journal = new MemoryJournal();
        try (VaultFixture first = new VaultFixture(state.resolve("first"), journal)) {
            first.put("vault:global/word", "open sesame, twice");
        }
        try (VaultFixture other = new VaultFixture(state.resolve("other"), journal)) {
            CountDownLatch opened = new CountDownLatch(1);
            AtomicInteger learned = new AtomicInteger();
            VaultWorker work =
                    new VaultWorker(
                            other.opening,
                            other.core,
                            other.rotation,
                            vault -> opened.countDown(),
                            learned::incrementAndGet);
            work.begin();
            assertTrue(opened.await(30, TimeUnit.SECONDS), "the keys may be unsealed");
            work.end(); // after the pass that is under way
            assertEquals(0, learned.get());
        }
    }
}
