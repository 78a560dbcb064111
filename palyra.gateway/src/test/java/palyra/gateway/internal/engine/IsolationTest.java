package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.gateway.internal.engine.queue.RunWorker;
import palyra.shared.hash.Ulids;
import palyra.testing.access.FakeAccess;
import palyra.testing.wait.Await;

/** A row or a duty that fails holds up nothing but itself, and says why it waits. */
class IsolationTest extends OneGateway {
    private final AtomicReference<String> failing = new AtomicReference<>("");
    private final AtomicInteger failures = new AtomicInteger();

    /** A unit that settles this message of the inbox is refused. */
    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        String id = failing.get();
        boolean refused =
                call.unit().stream()
                        .flatMap(unit -> unit.preconditions().stream())
                        .anyMatch(
                                held ->
                                        held instanceof Precondition.InboxIn in
                                                && in.messageId().equals(id));
        if (refused || (!id.isEmpty() && call.of(id))) {
            failures.incrementAndGet();
            throw new PalyraException(ErrorCode.INTERNAL, "played for " + id);
        }
        return call.proceed();
    }

    @BeforeEach
    void answerEverything() {
        model.otherwise(
                request ->
                        List.of(
                                new ModelEvent.TextDelta("answer"),
                                new ModelEvent.Finished("stop", 1, 1)));
    }

    private InboxRow queue(String text, String session) {
        InboxRow row = LightGateway.inbox(Wanted.saying(text).in(session).message());
        around.journal().commit(Unit.of(new Operation.PutInbox(row)));
        return row;
    }

    private String runOf(InboxRow message) {
        return Await.value(
                "a run for " + message.messageId(),
                () ->
                        around.journal()
                                .inbox(message.messageId())
                                .filter(row -> row.state() == InboxRow.State.ROUTED)
                                .map(InboxRow::runId));
    }

    private String parkedRun(String session) {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit(Wanted.saying("park").in(session).message());
        tool.awaitCalls(1);
        around.journal()
                .commit(
                        Unit.of(
                                new Operation.Append(
                                        run.runId(),
                                        "from_the_future",
                                        9,
                                        "{}".getBytes(StandardCharsets.UTF_8))));
        tool.release();
        Await.until(
                "the run to be parked",
                () ->
                        around.journal()
                                .run(run.runId())
                                .orElseThrow()
                                .reason()
                                .startsWith(RunWorker.PARKED));
        return run.runId();
    }

    @Test
    void messageForASessionWithAParkedRunStopsNothing() {
        String parked = parkedRun("parked");
        gateway.close();
        gateway = open("boot/2"); // which knows nothing of the parked run
        InboxRow behind = queue("behind it", "parked");
        InboxRow elsewhere = queue("elsewhere", "other");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runOf(elsewhere)).state());
        RunRow waiting = around.journal().run(runOf(behind)).orElseThrow();
        assertEquals(RunState.ACCEPTED, waiting.state(), "it waits behind the parked run");
        gateway.cancel(parked);
        assertEquals(RunState.CANCELLED, gateway.ended(parked).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(waiting.runId()).state());
    }

    @Test
    void messageForASessionWhoseRunHasNoWorkerWaitsBehindIt() {
        Submission first = gateway.submit(Wanted.saying("one").in("s").message());
        gateway.ended(first.runId());
        RunRow row = around.journal().run(first.runId()).orElseThrow();
        String orphan = orphanIn(row.sessionId(), row.epoch());
        InboxRow behind = queue("two", "s");
        String second = runOf(behind);
        assertTrue(gateway.ended(orphan).state().terminal());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second).state());
    }

    /** A run that is RUNNING in the journal and that nothing works on, as after a lost hint. */
    private String orphanIn(String sessionId, long epoch) {
        String runId = new Ulids().next();
        String agent = gateway.agents.defaultAgentId();
        around.journal()
                .commit(
                        Unit.builder()
                                .addAll(Planted.running(runId, sessionId, agent, epoch, "orphan"))
                                .build());
        return runId;
    }

    @Test
    void messageThatFailsAgainAndAgainIsSetAsideWithItsReason() {
        InboxRow bad = LightGateway.inbox(Wanted.saying("bad").in("b").message());
        failing.set(bad.messageId());
        around.journal().commit(Unit.of(new Operation.PutInbox(bad)));
        InboxRow good = queue("good", "g");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runOf(good)).state());
        Setback setback =
                Await.value(
                        "the message to be set aside",
                        () ->
                                gateway.host.setbacks().stream()
                                        .filter(one -> one.id().equals(bad.messageId()))
                                        .findFirst());
        assertEquals(Setback.Kind.MESSAGE, setback.kind());
        assertTrue(setback.reason().contains("played for"), setback.reason());
        failing.set("");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runOf(bad)).state());
        Await.until("nothing to be set aside", () -> gateway.host.setbacks().isEmpty());
    }

    @Test
    void dutyThatFailsLeavesTheOthersAlone() {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        failing.set("inboxIn"); // no message can be read
        Await.until("the failure", () -> failures.get() > 0);
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
        Await.until(
                "the duty to be set aside",
                () ->
                        gateway.host.setbacks().stream()
                                .anyMatch(one -> one.kind() == Setback.Kind.DUTY));
        failing.set("");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runOf(queue("on", "o"))).state());
    }

    private LightGateway open(String owner) {
        return new LightGateway(
                        around,
                        model,
                        owner,
                        real -> WatchedJournal.of(real, this::watch),
                        FakeAccess.forTools())
                .awaitReady();
    }

    @Test
    void statesFromWhichARunIsCancelledAreAllThatAreOpen() {
        EnumSet<RunState> open = EnumSet.allOf(RunState.class);
        open.removeIf(RunState::terminal);
        assertEquals(open, palyra.shared.fold.RunMachine.before(RunState.CANCELLED));
    }
}
