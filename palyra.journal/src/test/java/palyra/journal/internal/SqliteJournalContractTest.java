package palyra.journal.internal;

import java.nio.file.Path;
import java.time.InstantSource;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.keys.Keys;
import palyra.testing.journal.JournalContract;
import palyra.testing.journal.JournalStore;

/** The store on SQLite does what every store must do. */
class SqliteJournalContractTest extends JournalContract {
    @Override
    protected JournalStore open(Path where, Keys signers, InstantSource time, String bootId) {
        return new Store(JournalFactory.open(JournalSettings.under(where, bootId), signers, time));
    }

    private record Store(SqliteJournal sqlite) implements JournalStore {
        @Override
        public Journal journal() {
            return sqlite;
        }

        @Override
        public LiveFeed feed() {
            return sqlite;
        }

        @Override
        public TapeVerifier verifier() {
            return sqlite;
        }

        @Override
        public void close() {
            sqlite.close();
        }
    }
}
