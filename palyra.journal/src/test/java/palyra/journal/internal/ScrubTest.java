package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.TapeVerifier.Extent;
import palyra.api.core.journal.TapeVerifier.Progress;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.Keys;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** What is stored is read again and again in the background: damage is told and costs itself. */
@Timeout(120)
class ScrubTest {
    private static final long WEEK = 7L * 24 * 3_600 * 1_000;
    private static final int RUNS = 70;

    @TempDir Path state;

    private final MemoryKeys keys = new MemoryKeys();

    private JournalSettings settings(long bytes, long restMillis) {
        return settings(bytes, restMillis, 4);
    }

    private JournalSettings settings(long bytes, long restMillis, int sealBatch) {
        return TestStore.settings(state)
                .with(new JournalSettings.Checks(bytes, 100, restMillis, 0, sealBatch, WEEK / 200));
    }

    private TestStore open(long bytes, long restMillis) {
        return TestStore.open(settings(bytes, restMillis), keys);
    }

    private TestStore quiet() {
        return open(0, WEEK);
    }

    private TestStore scrubbing() {
        return open(1L << 30, 0);
    }

    private static void awaitFault(TestStore store, String... parts) {
        Await.until(
                "a fault that tells of " + List.of(parts),
                () ->
                        store.journal().scrubbedFaults().stream()
                                .anyMatch(one -> List.of(parts).stream().allMatch(one::contains)));
    }

    private static JournalStatus.Scrub awaitPass(TestStore store, long afterMillis) {
        return Await.value(
                "the end of a pass",
                () ->
                        store.journal()
                                .status()
                                .scrub()
                                .filter(scrub -> scrub.endedAtMillis() > afterMillis));
    }

    private void onDisk(String text, Object... arguments) throws SQLException {
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            assertTrue(disk.update(text, arguments) > 0);
        }
    }

    private void forge(String runId, String text) throws SQLException {
        onDisk(
                "UPDATE tape SET payload = ? WHERE seq = 2 AND stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                TestStore.json(text),
                runId);
    }

    private static String events(TestStore store) {
        StringBuilder all = new StringBuilder();
        for (TapeRecord record : store.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000)) {
            all.append(record.type())
                    .append(new String(record.payload(), StandardCharsets.UTF_8))
                    .append('\n');
        }
        return all.toString();
    }

    @Test
    void aChangedByteInAnOldRunIsToldOfUntilItIsIntactAgain() throws SQLException {
        List<String> runs = new ArrayList<>();
        try (TestStore store = quiet()) {
            for (int i = 0; i < RUNS; i++) {
                runs.add(store.newSealedTape(3));
            }
        }
        forge(runs.get(40), "m2");
        try (TestStore store = scrubbing()) {
            awaitFault(store, runs.get(40), "record 2", "PAYLOAD");
            JournalStatus.Scrub pass = awaitPass(store, 0);
            assertEquals(1, pass.faults());
            assertTrue(pass.records() >= (RUNS - 1) * 3, pass::toString);
            assertEquals(
                    runs.get(40),
                    store.journal().verifyAll(() -> false).fault().orElseThrow().streamId());
            Await.until("its record", () -> events(store).contains("damage_found"));
            assertTrue(events(store).contains(runs.get(40)));
            assertEquals(JournalStatus.State.OPEN, store.journal().status().state());
        }
        try (TestStore store = scrubbing()) {
            awaitFault(store, runs.get(40)); // known from before, or found again
            forge(runs.get(40), "n2");
            Await.until("nothing to be wrong", () -> store.journal().scrubbedFaults().isEmpty());
            assertEquals(1, events(store).split("damage_found", -1).length - 1);
        }
        try (TestStore store = quiet()) {
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    @Test
    void changedSealsAndCheckpointsAreToldOf() throws SQLException {
        String run;
        try (TestStore store = quiet()) {
            run = store.newSealedTape(3);
            for (int i = 0; i < 7; i++) {
                store.newSealedTape(3);
            }
            Await.until("the checkpoints", () -> store.journal().openSeals() == 0);
        }
        onDisk("UPDATE seal_checkpoints SET digest = zeroblob(32) WHERE checkpoint_no = 2");
        onDisk(
                "UPDATE seals SET signature = zeroblob(64) WHERE stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                run);
        try (TestStore store = scrubbing()) {
            awaitFault(store, run, "SIGNATURE");
            awaitFault(store, "checkpoint 1", "CHECKPOINT");
        }
    }

    /** One bad page of an old run keeps nothing else from going on, nor the scrub itself. */
    @Test
    void aDamagedPageStopsNothing() throws Exception {
        String first;
        String damaged;
        String last;
        try (TestStore store = quiet()) {
            first = store.newSealedTape(20);
            damaged = store.newTape(2_000);
            last = store.newSealedTape(3);
            store.journal()
                    .commit(
                            Unit.of(
                                    new Operation.PutDocument(
                                            "c",
                                            "k",
                                            "marked"
                                                    .repeat(500)
                                                    .getBytes(StandardCharsets.UTF_8))));
        }
        damage(TestStore.json("n1500"));
        damage("marked".repeat(20).getBytes(StandardCharsets.UTF_8));
        forge(last, "m2");
        try (TestStore store = scrubbing()) {
            awaitFault(store, damaged, "UNREADABLE", "damaged");
            awaitFault(store, last, "PAYLOAD");
            awaitFault(store, "table documents", "UNREADABLE");
            awaitPass(store, 0);
            assertFalse(
                    store.journal().scrubbedFaults().stream().anyMatch(one -> one.contains(first)));
            assertEquals(JournalStatus.State.OPEN, store.journal().status().state());
            store.append(store.newRun(), 1);
        }
    }

    /** The verification goes on without the note, and names it. */
    @Test
    void aNoteOnADamagedPageEndsNoVerification() throws Exception {
        try (TestStore store = quiet()) {
            store.newSealedTape(3);
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
        byte[] signature;
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            signature =
                    disk.one("SELECT signature FROM verified", row -> row.getBytes(1))
                            .orElseThrow();
        }
        damage(signature);
        try (TestStore store = quiet()) {
            VerificationReport report =
                    store.journal().verifyAll(Extent.NEW, Progress.NONE, () -> false);
            assertEquals(3, report.records());
            assertEquals("note of what was verified", report.fault().orElseThrow().streamId());
        }
    }

    /** Overwrites the head of every page that holds these bytes. */
    private void damage(byte[] content) throws IOException {
        Path file = state.resolve("journal/journal.db");
        String all = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        String part = new String(content, StandardCharsets.ISO_8859_1);
        int at = all.indexOf(part);
        assertTrue(at > 0, "it is in the file");
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            for (; at > 0; at = all.indexOf(part, at + 1)) {
                raw.seek(at / 4_096 * 4_096L);
                raw.write(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
            }
        }
    }

    /** Its rest is hours long by then: closing wakes it, and the next start goes on there. */
    @Test
    void endsAtOnceWhenTheStoreClosesAndGoesOnWhereItWas() throws SQLException {
        List<String> runs = new ArrayList<>();
        try (TestStore store = TestStore.open(settings(0, WEEK, 10_000), keys)) {
            for (int i = 0; i < 250; i++) {
                runs.add(store.newSealedTape(3));
            }
        }
        JournalSettings oneByteASecond = settings(1, WEEK, 10_000);
        try (TestStore store = TestStore.open(oneByteASecond, keys)) {
            Await.until(
                    "a few runs to be read",
                    () -> {
                        if (scrubbedBytes(store) > 40_000) {
                            return true;
                        }
                        store.journal().change(oneByteASecond); // ends its rest
                        return false;
                    });
        }
        assertFalse(
                Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals("palyra-journal-scrub")));
        String after;
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            assertEquals("RUNS", disk.text("SELECT stage FROM scrub"));
            after = disk.text("SELECT after_key FROM scrub");
        }
        assertTrue(after.compareTo(runs.getFirst()) > 0, after);
        assertTrue(after.compareTo(runs.getLast()) < 0, after);
        forge(runs.getFirst(), "m2");
        forge(runs.getLast(), "m2");
        try (TestStore store = TestStore.open(settings(1L << 30, WEEK, 10_000), keys)) {
            assertEquals(1, awaitPass(store, 0).faults(), "what was before is not read again");
            awaitFault(store, runs.getLast());
            store.journal().change(settings(1L << 30, 0));
            awaitFault(store, runs.getFirst());
        }
    }

    private static double scrubbedBytes(TestStore store) {
        return store.journal().metrics().stream()
                .filter(metric -> metric.name().equals("palyra_journal_scrub_bytes_total"))
                .mapToDouble(metric -> metric.value())
                .sum();
    }

    @Test
    void waitsForTheKeyStoreAndGoesOn() {
        try (TestStore store = quiet()) {
            store.newSealedTape(3);
        }
        Gate<Keys> gate = JournalFactory.gate(null);
        JournalSettings settings = settings(1L << 30, WEEK);
        try (TestStore store =
                new TestStore(
                        new SqliteJournal(settings, gate, InstantSource.system(), System::nanoTime),
                        settings.folder())) {
            store.awaitState(JournalStatus.State.OPEN);
            gate.add(keys, Map.of());
            assertEquals(0, awaitPass(store, 0).faults());
        }
    }
}
