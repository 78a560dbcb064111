package palyra.bench.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.SqliteJournal;
import palyra.journal.internal.verify.SealCheckpointWriter;
import palyra.keys.internal.BootKeys;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;

/** The real journal with real keys in a folder of its own, and the units that are put into it. */
public final class BenchStore implements AutoCloseable {
    /** Records of a run, where runs are made to fill a store. */
    static final int RUN_RECORDS = 100;

    private static final int SESSION_RUNS = 100;
    private static final String PRINCIPAL = "user:bench";
    private static final Ulids IDS = new Ulids();
    private static final byte[] PAYLOAD = payload();
    private static final TapeEvent ACCEPTED =
            new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, "");

    private final SqliteJournal journal;
    private String session = "";
    private int sessionRuns;

    private BenchStore(SqliteJournal journal) {
        this.journal = journal;
    }

    /** Opens the store in a state folder, which is made private as keys want it. */
    public static BenchStore open(Path state) throws IOException {
        makePrivate(state);
        return new BenchStore(JournalFactory.open(state, BootKeys.open(state, Optional.empty())));
    }

    /** Makes a folder private to its owner, where there are modes. */
    public static void makePrivate(Path folder) throws IOException {
        Files.createDirectories(folder);
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** A streamed piece of text as the gateway writes it, 200 bytes. */
    private static byte[] payload() {
        String text = "The quick brown fox jumps over the lazy dog. ".repeat(4).substring(0, 170);
        return ("{\"attempt\":1,\"text\":\"" + text + "\",\"turn\":1}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the payload of every record. */
    static byte[] recordPayload() {
        return PAYLOAD.clone();
    }

    /** Returns the journal. */
    public Journal journal() {
        return journal;
    }

    /** Returns the journal with all its services. */
    public SqliteJournal services() {
        return journal;
    }

    /** Makes a run with an empty, open tape and returns its id. */
    public synchronized String openRun() {
        String runId = IDS.next();
        journal.commit(Unit.of(insert(runId, sessionId(), RunState.ACCEPTED)));
        return runId;
    }

    private String sessionId() {
        if (session.isEmpty() || sessionRuns++ == SESSION_RUNS) {
            session = IDS.next();
            sessionRuns = 1;
            journal.commit(
                    Unit.of(
                            new Operation.InsertSession(
                                    new SessionView(
                                            session, "", "", PRINCIPAL, "", "", "", 0, 0, 0, ""))));
        }
        return session;
    }

    private static Operation insert(String runId, String sessionId, RunState state) {
        return new Operation.InsertRun(
                runId, sessionId, PRINCIPAL, "default", "interactive", "", "bench", state, 0);
    }

    /** Returns a unit that appends so many records to one tape. */
    public static Unit records(String runId, int count) {
        List<Operation> appends = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            appends.add(new Operation.Append(runId, "model_token", 1, PAYLOAD));
        }
        return Unit.builder().addAll(appends).build();
    }

    /** Appends {@code events} records, a run of {@value #RUN_RECORDS} in each unit. */
    public synchronized void fill(long events) {
        for (long done = 0; done < events; done += RUN_RECORDS) {
            commitRun((int) Math.min(RUN_RECORDS, events - done), false);
        }
    }

    /** Appends {@code runs} runs that have ended, so that their heads are signed. */
    public synchronized void fillEnded(int runs, int records) {
        for (int i = 0; i < runs; i++) {
            commitRun(records, true);
        }
    }

    /** Waits until so few seals are left without a checkpoint that none is made for them. */
    public void awaitCheckpoints() throws InterruptedException {
        while (journal.openSeals() >= SealCheckpointWriter.FEW) {
            Thread.sleep(100);
        }
    }

    private void commitRun(int records, boolean ended) {
        String runId = IDS.next();
        RunState first = ended ? RunState.RUNNING : RunState.ACCEPTED;
        Unit.Builder unit = Unit.builder().add(insert(runId, sessionId(), first));
        unit.add(TapeCodec.append(runId, ACCEPTED)); // so that the order of what follows is judged
        unit.addAll(records(runId, records - 1).operations());
        if (ended) {
            unit.add(
                    new Operation.MoveRun(runId, Set.of(RunState.RUNNING), RunState.SUCCEEDED, ""));
        }
        journal.commit(unit.build());
    }

    @Override
    public void close() {
        journal.close();
    }
}
