package palyra.testing.journal;

import java.nio.file.Path;
import java.time.InstantSource;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.keys.Keys;

/** The journal in memory does what every journal must do, so tests may use it for the real one. */
class MemoryJournalTest extends JournalContract {
    private MemoryJournal kept; // what a restart finds again

    @Override
    protected JournalStore open(Path where, Keys signers, InstantSource time, String bootId) {
        if (kept == null) {
            kept = new MemoryJournal(signers, time, bootId);
        }
        return new Store(kept, bootId);
    }

    private record Store(MemoryJournal journal, String bootId) implements JournalStore {
        private Store {
            journal.restart(bootId);
        }

        @Override
        public LiveFeed feed() {
            return journal.feed();
        }

        @Override
        public TapeVerifier verifier() {
            return journal.verifier();
        }

        @Override
        public void close() {
            journal.restart(bootId);
        }
    }
}
