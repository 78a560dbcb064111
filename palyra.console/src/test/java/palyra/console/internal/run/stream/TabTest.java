package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.console.internal.fakes.ScriptedRuns;
import palyra.shared.gate.Gate;
import palyra.testing.wait.Await;

class TabTest {
    private static final Principal OPERATOR =
            new Principal("user:ada", PrincipalKind.USER, Set.of("operator"), Set.of(), "");
    private static final Tab.Pace PACE = new Tab.Pace(20, 5, 20, 500, 3_600_000);

    private final TabQueue queue = new TabQueue(1_000);
    private final CountDownLatch ended = new CountDownLatch(1);

    private Tab start(OutputStream out, Supplier<Principal> session) {
        Visibility visibility =
                new Visibility(new Gate<Runs>("The front", ErrorCode.GATEWAY_UNAVAILABLE, 0));
        Tab tab = new Tab(queue, visibility, OPERATOR, session, null, PACE);
        tab.start(out, ended::countDown);
        return tab;
    }

    private void assertEnds() throws InterruptedException {
        assertTrue(ended.await(20, TimeUnit.SECONDS), "the stream did not end");
    }

    @Test
    void endsWhenItsSessionIsRevokedAndTellsNothingAfterwards() throws Exception {
        AtomicBoolean revoked = new AtomicBoolean();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        start(
                out,
                () -> {
                    if (revoked.get()) {
                        throw new PalyraException(ErrorCode.UNAUTHENTICATED, "It is over.");
                    }
                    return OPERATOR;
                });
        revoked.set(true);
        assertEnds();
        queue.hint(new Hint.OfRun("late"));
        String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.endsWith("retry: 500\nevent: stream-end\ndata: {}\n\n"), text);
        assertTrue(queue.isClosed());
    }

    @Test
    void endsWhenSessionsCannotBeLookedUp() throws Exception {
        start(
                new ByteArrayOutputStream(),
                () -> {
                    throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "It is away.");
                });
        assertEnds();
    }

    private static final String RUN = "01J0000000000000000000000A";
    private static final String NEXT = "01J0000000000000000000000B";

    private final ScriptedRuns runs = new ScriptedRuns();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    /** A tab on a run that has ended, of a session that goes on. */
    private Tab ofSession() {
        Gate<Runs> gate = new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, 0);
        gate.add(runs.service(), Map.of());
        runs.add(RUN, "s", OPERATOR.id());
        runs.tell(RUN, new RunEvent.Ended(RunState.SUCCEEDED, ""));
        EventId from = new EventId(RUN, RunPosition.START);
        FollowedRun run = new FollowedRun(gate, OPERATOR, queue, new FollowedRun.Target(from, "s"));
        Tab tab = new Tab(queue, new Visibility(gate), OPERATOR, () -> OPERATOR, run, PACE);
        tab.start(written, ended::countDown);
        return tab;
    }

    private void awaitWritten(String text) {
        Await.until(text, () -> written.toString(StandardCharsets.UTF_8).contains(text));
    }

    /** By itself it would look again in an hour. */
    @Test
    void aHintOfANewRunWakesItAndNothingElseMakesItLook() throws Exception {
        Tab tab = ofSession();
        Await.until("the first look", () -> runs.lists.get() == 1);
        runs.add(NEXT, "s", OPERATOR.id());
        queue.hint(new Hint.OfSystem("journal"));
        awaitWritten("event: journal\n");
        queue.hint(new Hint.OfRun(NEXT));
        awaitWritten("event: run-next\n");
        assertEquals(2, runs.lists.get(), "looks");
        tab.close();
        assertEnds();
    }

    @Test
    void whoMayNotListRunsAnyMoreIsToldSoAndNotAskedForAgain() throws Exception {
        runs.denied = true;
        Tab tab = ofSession();
        awaitWritten("event: run-gone\n");
        queue.hint(new Hint.OfRun(NEXT));
        awaitWritten("event: session\n");
        tab.close();
        assertEnds();
        assertEquals(1, runs.lists.get(), "looks");
    }

    @Test
    void endsWhenTheBrowserGoesAway() throws Exception {
        OutputStream gone =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("closed");
                    }
                };
        start(gone, () -> OPERATOR);
        assertEnds();
    }

    @Test
    void tellsTopicsWithoutContentAndEndsWhenClosed() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        ByteArrayOutputStream out =
                new ByteArrayOutputStream() {
                    @Override
                    public synchronized void write(byte[] bytes, int from, int length) {
                        super.write(bytes, from, length);
                        if (toString(StandardCharsets.UTF_8).contains("event: journal\n")) {
                            told.countDown();
                        }
                    }
                };
        Tab tab = start(out, () -> OPERATOR);
        queue.hint(new Hint.OfRun("01J0000000000000000000000A"));
        queue.hint(new Hint.OfSystem("journal"));
        assertTrue(told.await(20, TimeUnit.SECONDS));
        tab.close();
        assertEnds();
        String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("event: run\ndata: {}\n\n"), text);
        assertEquals(-1, text.indexOf("01J0000000000000000000000A"), text);
    }
}
