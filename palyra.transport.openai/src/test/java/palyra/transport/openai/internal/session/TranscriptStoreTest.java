package palyra.transport.openai.internal.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

class TranscriptStoreTest {
    private static final int MOST = 10;

    @Test
    void eachPrincipalIsTrimmedHoweverTheyTakeTurns() {
        Gate<Journal> gate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        MemoryJournal journal =
                new MemoryJournal(new MemoryKeys(), InstantSource.system(), "boot-1");
        gate.add(journal, Map.of());
        TranscriptStore store = new TranscriptStore(gate);
        for (int i = 0; i < 200; i++) {
            String principal = i % 50 == 0 ? "user:a" : "user:b";
            store.put(principal, "print" + i, "", "session" + i, MOST);
        }
        long kept =
                journal.documents(TranscriptStore.COLLECTION, "user:b/", 1_000).stream()
                        .filter(document -> document.key().startsWith("user:b/"))
                        .count();
        assertTrue(kept <= MOST + 50, kept + " transcripts are kept");
    }
}
