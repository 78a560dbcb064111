package palyra.journal.internal;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.shared.hash.Ulids;
import palyra.testing.journal.MemoryKeys;

/**
 * A process that commits from several threads until it is killed, and says on its output what was
 * acknowledged: {@code record <stream> <seq> <text>}, {@code key <name>}, {@code end <run>}.
 */
public final class CrashChild {
    private static final int THREADS = 4;

    private CrashChild() {}

    /** Begins; the one argument is the state folder. */
    public static void main(String[] arguments) throws InterruptedException {
        JournalSettings settings =
                JournalSettings.under(Path.of(arguments[0]), "")
                        .with(new JournalSettings.Medium(1 << 16, 1 << 20, 0, 2_000))
                        .with(new JournalSettings.Upkeep(5, 3_600_000, 4_096, 1_024, 2_000))
                        .with(new JournalSettings.Checks(0, 5, 0, 0, 3, 0));
        SqliteJournal journal =
                JournalFactory.open(settings, new MemoryKeys(), InstantSource.system());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> work(journal), "committer-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void work(SqliteJournal journal) {
        Ulids ids = new Ulids();
        while (true) {
            run(journal, ids.next(), ids.next());
        }
    }

    private static void run(SqliteJournal journal, String sessionId, String runId) {
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        sessionId, "", "", "user:a", "", "", "", 0, 0, 0, "")),
                        new Operation.InsertRun(
                                runId, sessionId, "user:a", "", "", "", "", RunState.RUNNING, 1)));
        for (int i = 1; i <= 20; i++) {
            String text = i % 10 == 0 ? "x".repeat(70_000) : runId + "-" + i;
            say("try " + runId);
            Committed committed =
                    journal.commit(
                            Unit.builder()
                                    .once(new IdempotencyKey("s", runId + i, "d"), new byte[] {1})
                                    .add(TestStore.append(runId, text))
                                    .add(TestStore.append("journal", text))
                                    .build());
            for (Committed.Position at : committed.appended()) {
                say("record " + at.streamId() + " " + at.seq() + " " + text);
            }
            say("key " + runId + i);
        }
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(
                                runId, EnumSet.of(RunState.RUNNING), RunState.SUCCEEDED, "")));
        say("end " + runId);
    }

    private static void say(String line) {
        PrintStream out = System.out;
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }
}
