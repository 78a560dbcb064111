package palyra.testing.journal;

import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.keys.Keys;

/**
 * The contract of every {@link Journal}. A store's module extends this class and opens the store;
 * the rules are in the interfaces.
 */
public abstract class JournalContract
        implements UnitRules,
                IdempotencyRules,
                SessionRules,
                RunRules,
                SealRules,
                MessageRules,
                ApprovalRules,
                ApprovalVoteRules,
                ApprovalReadRules,
                GrantRules,
                DocumentRules,
                LeaseRules,
                TapeRules,
                SnapshotRules,
                RetentionRules,
                FeedRules {
    /** Folder that is the store's own during one test. */
    @TempDir protected Path folder;

    private final ManualClock clock = new ManualClock(1_700_000_000_000L);
    private final MemoryKeys keys = new MemoryKeys();
    private JournalStore store;

    /**
     * Opens the store that is kept in {@code where}, or a new one when there is none.
     *
     * @param bootId id of the start of the process that the store is to believe in
     */
    protected abstract JournalStore open(
            Path where, Keys signers, InstantSource time, String bootId);

    @BeforeEach
    final void openStore() {
        store = open(folder, keys, clock, "boot-1");
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @Override
    public final void reopen(String bootId) {
        store.close();
        store = open(folder, keys, clock, bootId);
    }

    @Override
    public final Journal journal() {
        return store.journal();
    }

    @Override
    public final LiveFeed feed() {
        return store.feed();
    }

    @Override
    public final TapeVerifier verifier() {
        return store.verifier();
    }

    @Override
    public final ManualClock clock() {
        return clock;
    }

    @Override
    public final MemoryKeys keys() {
        return keys;
    }
}
