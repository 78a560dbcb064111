package palyra.journal.internal;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.StoreClock;
import palyra.shared.hash.Ulids;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** A store with what tests of this module do to it again and again. */
final class TestStore implements AutoCloseable {
    static final Ulids IDS = new Ulids();

    private final SqliteJournal journal;
    private final Path folder;

    TestStore(SqliteJournal journal, Path folder) {
        this.journal = journal;
        this.folder = folder;
    }

    static JournalSettings settings(Path state) {
        return settings(state, 20);
    }

    /** Settings of a store that looks again at a medium that failed after so long. */
    static JournalSettings settings(Path state, int retryMillis) {
        JournalSettings.Upkeep usual = JournalSettings.Upkeep.DEFAULT;
        return JournalSettings.under(state, "boot-1")
                .with(
                        new JournalSettings.Upkeep(
                                retryMillis,
                                usual.idempotencyMillis(),
                                usual.headCache(),
                                usual.feedQueue(),
                                usual.keysWaitMillis()))
                .with(new JournalSettings.Medium(8L << 20, 64L << 20, 0, 200));
    }

    static TestStore open(Path state) {
        return open(settings(state), new MemoryKeys());
    }

    static TestStore open(JournalSettings settings, MemoryKeys keys) {
        return new TestStore(
                JournalFactory.open(settings, keys, InstantSource.system()), settings.folder());
    }

    /** Opens on another medium; does not insist that opening succeeds. */
    static TestStore on(JournalSettings settings, ConnectionSource medium) {
        SqliteJournal journal =
                new SqliteJournal(
                        settings,
                        JournalFactory.gate(new MemoryKeys()),
                        systemClock(),
                        medium,
                        Migrations.bundled());
        return new TestStore(journal, settings.folder());
    }

    static StoreClock systemClock() {
        return new StoreClock(InstantSource.system(), System::nanoTime);
    }

    SqliteJournal journal() {
        return journal;
    }

    /** A connection of one's own to the same file, as somebody with the disk in hand has. */
    Sql direct() throws SQLException {
        return direct(folder);
    }

    static Sql direct(Path folder) throws SQLException {
        Sql sql = new Sql(new DatabaseFile(folder).open(ConnectionSource.Use.WRITE));
        sql.execute("PRAGMA busy_timeout = 5000");
        sql.execute("PRAGMA synchronous = OFF"); // nobody pulls the plug on this one
        return sql;
    }

    String newRun() {
        String sessionId = IDS.next();
        String runId = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        sessionId,
                                        "k-" + sessionId,
                                        "",
                                        "user:alice",
                                        "",
                                        "",
                                        "",
                                        0,
                                        0,
                                        0,
                                        "")),
                        new Operation.InsertRun(
                                runId,
                                sessionId,
                                "user:alice",
                                "main",
                                "interactive",
                                "",
                                "shell",
                                RunState.RUNNING,
                                1)));
        return runId;
    }

    String newTape(int records) {
        String runId = newRun();
        List<Operation> appends = new ArrayList<>();
        for (int i = 1; i <= records; i++) {
            appends.add(append(runId, "n" + i));
            if (appends.size() == Unit.MAX_OPERATIONS || i == records) {
                journal.commit(Unit.of(appends.toArray(Operation[]::new)));
                appends.clear();
            }
        }
        return runId;
    }

    String newSealedTape(int records) {
        String runId = newTape(records);
        end(runId);
        return runId;
    }

    CompletableFuture<Committed> submit(Operation operation) {
        return journal.submit(Unit.of(operation)).toCompletableFuture();
    }

    void end(String runId) {
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(
                                runId, EnumSet.of(RunState.RUNNING), RunState.SUCCEEDED, "")));
    }

    static Operation.Append append(String streamId, String text) {
        return new Operation.Append(streamId, "model_token", 1, json(text));
    }

    static byte[] json(String text) {
        return ("{\"text\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    void append(String runId, int count) {
        for (int i = 0; i < count; i++) {
            journal.commit(Unit.of(append(runId, "more " + i)));
        }
    }

    /** Returns the status that had the state: the next look may find another. */
    JournalStatus awaitState(JournalStatus.State state) {
        return Await.value(
                "state " + state,
                () -> Optional.of(journal.status()).filter(status -> status.state() == state));
    }

    @Override
    public void close() {
        journal.close();
    }
}
