package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.table.SealTable;
import palyra.shared.tape.SealDigest;
import palyra.testing.journal.MemoryKeys;

/** The process is killed in the middle of its work; what it acknowledged is all there. */
class CrashTest {
    private static final int KILLS = Boolean.getBoolean("palyra.test.full") ? 40 : 6;

    @TempDir Path state;

    @Test
    void everythingAcknowledgedSurvivesKills() throws Exception {
        Random random = new Random(11);
        List<String> acknowledged = new ArrayList<>();
        long checkpoints = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            acknowledged.addAll(killAfter(20 + random.nextInt(1_500)));
            check(acknowledged);
            checkpoints = checkCheckpoints();
        }
        assertTrue(checkpoints > 0, "heads were covered between the kills");
        assertTrue(acknowledged.size() > KILLS * 20);
    }

    /** Starts the child and kills it once it has said so many lines; returns what it said. */
    private List<String> killAfter(int lines) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child =
                new ProcessBuilder(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrashChild.class.getName(),
                                state.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<String> said = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            while (line != null && said.size() < lines) {
                said.add(line);
                line = out.readLine();
            }
            child.destroyForcibly();
            while (line != null) { // what it had acknowledged before it died
                said.add(line);
                line = readRest(out);
            }
        }
        assertTrue(child.waitFor(10, TimeUnit.SECONDS));
        assertFalse(said.isEmpty());
        said.removeLast(); // the kill may have cut it off
        return said;
    }

    private static String readRest(BufferedReader out) {
        try {
            return out.readLine();
        } catch (IOException e) {
            return null; // the pipe broke with the process
        }
    }

    private void check(List<String> acknowledged) {
        JournalSettings settings = TestStore.settings(state);
        try (TestStore store = TestStore.open(settings, new MemoryKeys())) {
            SqliteJournal journal = store.journal();
            for (String line : acknowledged) {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "record" -> checkRecord(journal, words);
                    case "key" -> checkKey(journal, words[1]);
                    case "end" ->
                            assertEquals(
                                    RunState.SUCCEEDED,
                                    journal.run(words[1]).orElseThrow().state());
                    default -> assertEquals("try", words[0]);
                }
            }
            verifyAll(journal);
            String runId = store.newRun();
            journal.commit(Unit.of(TestStore.append(runId, "life goes on")));
            assertEquals(1, journal.headSeq(runId));
        }
    }

    /** A checkpoint and what names it came together; returns how many there are. */
    private long checkCheckpoints() throws SQLException {
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            SealTable table = new SealTable(sql);
            SealTable.Checkpoint last = SealTable.Checkpoint.BEFORE_THE_FIRST;
            for (SealTable.Checkpoint each : table.checkpoints(last.number(), 100_000)) {
                SealDigest digest = new SealDigest(last.number() + 1, last.digest());
                table.of(each.number(), 100).forEach(one -> digest.add(one.seal().orElseThrow()));
                assertArrayEquals(digest.bytes(), each.digest());
                last = each;
            }
            assertEquals(SealTable.NONE, table.namedAfter(last.number()));
            return last.number();
        }
    }

    private static void checkRecord(SqliteJournal journal, String[] words) {
        long seq = Long.parseLong(words[2]);
        TapeRecord record = journal.tape(words[1], seq - 1, 1).getFirst();
        assertEquals(seq, record.seq());
        assertEquals(
                new String(TestStore.json(words[3]), StandardCharsets.UTF_8),
                new String(record.payload(), StandardCharsets.UTF_8));
    }

    private static void checkKey(SqliteJournal journal, String key) {
        assertTrue(journal.stored(new IdempotencyKey("s", key, "d")).isPresent(), key);
    }

    /** The child's keys died with it, so every run is verified but for who signed its head. */
    private static void verifyAll(SqliteJournal journal) {
        assertTrue(journal.verifyStream("journal", () -> false).intact());
        String before = "";
        List<RunRow> page = journal.runs("", "", before, 1_000);
        while (!page.isEmpty()) {
            for (RunRow run : page) {
                VerificationReport report = journal.verifyStream(run.runId(), () -> false);
                boolean good =
                        report.fault().isEmpty()
                                || report.fault().get().kind() == VerificationReport.Kind.SIGNATURE;
                assertTrue(good, report::toString);
                assertEquals(run.headSeq(), report.records());
                assertEquals(run.state().terminal(), run.seal().isPresent());
            }
            before = page.getLast().runId();
            page = journal.runs("", "", before, 1_000);
        }
    }
}
