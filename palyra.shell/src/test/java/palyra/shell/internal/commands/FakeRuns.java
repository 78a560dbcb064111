package palyra.shell.internal.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.AppendedEvent;
import palyra.api.run.Following;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;

/**
 * Runs whose events a test writes down: a follower gets, on a thread of its own, what the script of
 * that attachment says.
 */
final class FakeRuns implements Runs {
    static final String RUN = "01J00000000000000000000001";
    static final String SESSION = "01J00000000000000000000002";
    static final String MESSAGE = "01J00000000000000000000003";

    /** Events of one attachment. */
    interface Script {
        void play(RunObserver observer, long afterSeq) throws Exception;
    }

    final List<SubmittedMessage> submitted = new ArrayList<>(); // guarded by this
    final List<String> calls = new ArrayList<>(); // guarded by this
    final CountDownLatch cancelled = new CountDownLatch(1);
    private final List<Script> scripts = new ArrayList<>(); // guarded by this
    private int unroutedAnswers; // guarded by this
    private final List<RunPosition> positions = new ArrayList<>(); // guarded by this

    synchronized FakeRuns script(Script script) {
        scripts.add(script);
        return this;
    }

    /** The gateway is away for so many questions. */
    synchronized FakeRuns unrouted(int answers) {
        unroutedAnswers = answers;
        return this;
    }

    synchronized void note(String call) {
        calls.add(call);
    }

    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Returns the positions from which the run was followed. */
    synchronized List<RunPosition> positions() {
        return List.copyOf(positions);
    }

    static RunEvent recorded(long seq, TapeEvent event) {
        return new RunEvent.Recorded(seq, 1_000 + seq, event);
    }

    static TapeEvent turn(int turn, int attempt) {
        return new TapeEvent.TurnStarted(
                turn, attempt, "a", "deterministic", "", "", "", "", 16, 0);
    }

    static TapeEvent answer(String text) {
        return new TapeEvent.Message(TapeEvent.Role.AGENT, text, "a", "shell", "m");
    }

    /** The commands do not look at the offset. */
    static RunEvent text(int turn, int attempt, String text) {
        return new RunEvent.Text(turn, attempt, false, 0, text);
    }

    static RunEvent ended(RunState state, String reason) {
        return new RunEvent.Ended(state, reason);
    }

    /** Whether runs are set aside, so that they may be retried. */
    boolean quarantined = true;

    @Override
    public synchronized Submission submit(Principal principal, SubmittedMessage message) {
        submitted.add(message);
        return submission();
    }

    @Override
    public Submission submit(Principal principal, SubmittedMessage message, byte[] position) {
        return submit(principal, message);
    }

    @Override
    public synchronized Submission submission(Principal principal, String messageId) {
        return submission();
    }

    private Submission submission() {
        boolean routed = unroutedAnswers-- <= 0;
        return new Submission(MESSAGE, routed ? RUN : "", routed ? SESSION : "", false);
    }

    @Override
    public boolean cancel(Principal principal, String runId, String reason) {
        note("cancel " + runId + " " + reason);
        cancelled.countDown();
        return true;
    }

    @Override
    public boolean retry(Principal principal, String runId) {
        note("retry " + runId);
        return quarantined;
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal, String runId, String eventId, String kind, String contentJson) {
        note("append " + runId + " " + eventId + " " + kind + " " + contentJson);
        return new AppendedEvent("01J00000000000000000000009", true, 4);
    }

    private static RunView view(String runId) {
        return new RunView(
                runId, SESSION, "user:op", "a", "interactive", RunState.RUNNING, "", 1, 2, 3);
    }

    @Override
    public Optional<RunView> run(Principal principal, String runId) {
        return runId.equals(RUN) ? Optional.of(view(runId)) : Optional.empty();
    }

    @Override
    public List<RunView> runs(
            Principal principal, String sessionId, String beforeRunId, int limit) {
        note("runs " + sessionId + " " + beforeRunId + " " + limit);
        return List.of(view(RUN));
    }

    private static SessionView session(long archivedAtMillis) {
        return new SessionView(
                SESSION, "main", "", "user:op", "", "", "a", 1, 2, archivedAtMillis, RUN);
    }

    @Override
    public List<SessionView> sessions(
            Principal principal,
            String text,
            String beforeSessionId,
            int limit,
            boolean includeArchived) {
        note("sessions " + beforeSessionId + " " + limit + " " + includeArchived);
        return List.of(session(0));
    }

    @Override
    public Optional<SessionView> session(Principal principal, String sessionId) {
        return sessionId.equals(SESSION) ? Optional.of(session(0)) : Optional.empty();
    }

    @Override
    public ResolvedSession resolveSession(Principal principal, SessionQuery query) {
        throw new AssertionError("the shell resolves no sessions");
    }

    @Override
    public List<TapeRecord> tape(Principal principal, String runId, long afterSeq, int limit) {
        throw new AssertionError("the shell reads tapes from the journal");
    }

    @Override
    public SessionView archiveSession(Principal principal, String sessionId) {
        if (!sessionId.equals(SESSION)) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There is no session " + sessionId);
        }
        return session(5_000);
    }

    @Override
    public synchronized Following follow(
            Principal principal, String runId, RunPosition from, RunObserver observer) {
        note("follow " + runId + " " + from.seq());
        Script script = scripts.get(positions.size());
        positions.add(from);
        CountDownLatch over = new CountDownLatch(1);
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        script.play(observer, from.seq());
                                    } catch (Exception e) {
                                        note("observer failed: " + e.getClass().getSimpleName());
                                    } finally {
                                        over.countDown();
                                    }
                                });
        return new Following() {
            @Override
            public boolean await(long timeoutMillis) throws InterruptedException {
                return over.await(timeoutMillis, TimeUnit.MILLISECONDS);
            }

            @Override
            public void close() {
                thread.interrupt();
            }
        };
    }
}
