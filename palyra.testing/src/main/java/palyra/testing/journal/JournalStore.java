package palyra.testing.journal;

import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;

/** A store under test with everything that belongs to it. */
public interface JournalStore extends AutoCloseable {
    /** Returns the store. */
    Journal journal();

    /** Returns its feed. */
    LiveFeed feed();

    /** Returns its verifier. */
    TapeVerifier verifier();

    /** Closes it; everything that was acknowledged stays for the next opening. */
    @Override
    void close();
}
