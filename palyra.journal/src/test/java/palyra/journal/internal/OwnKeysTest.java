package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.read.OwnKeys;
import palyra.testing.journal.MemoryKeys;

/** A store with another gateway's keys takes no work until an operator says so. */
class OwnKeysTest {
    @TempDir Path state;
    private final MemoryKeys before = new MemoryKeys();
    private final MemoryKeys now = new MemoryKeys();

    private SqliteJournal open(MemoryKeys keys) {
        return JournalFactory.open(
                JournalSettings.under(state, "boot"), keys, InstantSource.system());
    }

    private static void work(SqliteJournal journal, String sessionId) {
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        sessionId, "", "", "user:a", "", "", "", 0, 0, 0, ""))));
    }

    private static void know(SqliteJournal journal, MemoryKeys... stores) {
        String ids =
                Arrays.stream(stores)
                        .flatMap(keys -> keys.published().stream())
                        .map(key -> '"' + key.keyId() + '"')
                        .collect(Collectors.joining(","));
        journal.commit(
                Unit.of(
                        new Operation.PutDocument(
                                OwnKeys.COLLECTION,
                                OwnKeys.KEY,
                                ("{\"keys\":[" + ids + "]}").getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void anotherGatewaysStoreTakesNoWorkUntilThatIsAccepted() {
        try (SqliteJournal journal = open(before)) {
            work(journal, "0");
            know(journal, before);
            work(journal, "1");
        }
        try (SqliteJournal journal = open(now)) {
            PalyraException refused = assertThrows(PalyraException.class, () -> work(journal, "2"));
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
            assertTrue(refused.getMessage().contains("palyra state accept"), refused.toString());
            assertTrue(journal.session("2").isEmpty());
            journal.commit(
                    Unit.of(
                            new Operation.Append(
                                    TapeRecord.JOURNAL_STREAM, "told", 1, new byte[] {'{', '}'})));
            know(journal, before, now);
            assertThrows(PalyraException.class, () -> work(journal, "2"));
            know(journal, now);
            work(journal, "2");
        }
        try (SqliteJournal journal = open(now)) {
            work(journal, "3");
        }
    }

    @Test
    void keysThatAreAddedLaterAreNoHindrance() {
        try (SqliteJournal journal = open(before)) {
            know(journal, before);
            work(journal, "1");
            know(journal, before, now); // as a rotation is noted, perhaps before it is seen here
            work(journal, "2");
        }
    }
}
