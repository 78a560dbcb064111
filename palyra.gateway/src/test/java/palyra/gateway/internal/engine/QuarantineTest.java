package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.engine.lease.EngineLease;
import palyra.gateway.internal.engine.queue.RunFailures;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.wait.Await;

/** A run that cannot go on is set aside with its reason; its session goes on without it. */
class QuarantineTest extends OneGateway {
    private static final Ulids IDS = new Ulids();

    private final AtomicInteger tapeReads = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private volatile String kept = ""; // this run cannot begin
    private volatile long lost; // this record of each run is not read; 0 for none

    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        if (call.unit().stream()
                .flatMap(unit -> unit.operations().stream())
                .anyMatch(this::isKept)) {
            begun.incrementAndGet();
            throw new PalyraException(ErrorCode.CONFLICT, "the session is taken");
        }
        Object result = call.proceed();
        if (call.of("tape")) {
            tapeReads.incrementAndGet();
            return ((List<?>) result).stream().filter(one -> !isLost(one)).toList();
        }
        return result;
    }

    private boolean isKept(Operation one) {
        return one instanceof Operation.MoveRun move
                && move.runId().equals(kept)
                && move.to() == RunState.RUNNING;
    }

    private boolean isLost(Object record) {
        return record instanceof TapeRecord one
                && one.seq() == lost
                && !one.streamId().equals(TapeRecord.JOURNAL_STREAM);
    }

    /** A run whose tape says what cannot be: its hashes are right, its order is not. */
    private Submission illegalRun(String session) {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit(Wanted.saying("work").in(session).message());
        tool.awaitCalls(1);
        TapeEvent impossible =
                new TapeEvent.ToolStarted("no.such.call", 1, "test.effect", "0".repeat(64), "");
        around.journal().commit(Unit.of(TapeCodec.append(run.runId(), impossible)));
        tool.release();
        return run;
    }

    private RunRow quarantined(String runId) {
        return Await.value(
                "run " + runId + " to be set aside",
                () ->
                        around.journal()
                                .run(runId)
                                .filter(row -> row.state() == RunState.QUARANTINED));
    }

    @Test
    void runWhoseTapeIsIllegalIsSetAsideAndItsSessionGoesOn() {
        Submission run = illegalRun("s");
        RunRow aside = quarantined(run.runId());
        assertEquals(RunFailures.MOST_ATTEMPTS, aside.attempts());
        assertTrue(aside.reason().contains("no.such.call"), aside.reason());
        assertTrue(aside.reason().contains("palyra run retry " + run.runId()), aside.reason());
        model.answer("on");
        Submission next = gateway.submit(Wanted.saying("next").in("s").message());
        assertEquals(RunState.SUCCEEDED, gateway.ended(next.runId()).state());
        assertTrue(
                gateway.tape("journal").stream()
                        .anyMatch(event -> TapeCodec.type(event).equals("run_quarantined")));
    }

    /** A gap in the tape is told as such; it is not looked for without end. */
    @Test
    void runWhoseTapeLacksARecordIsSetAside() {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit(Wanted.saying("work").in("s").message());
        tool.awaitCalls(1);
        gateway.close();
        tool.release();
        lost = 3;
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real -> WatchedJournal.of(real, this::watch),
                                FakeAccess.forTools())
                        .awaitReady();
        RunRow aside = quarantined(run.runId());
        assertTrue(aside.reason().contains("Record 3 of run"), aside.reason());
        assertTrue(tapeReads.get() < 100, "read " + tapeReads + " times");
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
    }

    /** Something that no look finds keeps the session: the run behind it does not spin. */
    @Test
    void queuedRunThatCannotBeginIsTriedAgainAfterAWhile() throws InterruptedException {
        tool.holding();
        model.propose("test.effect", "{}").answer("first").answer("second");
        Submission first = gateway.submit(Wanted.saying("work").in("s").message());
        tool.awaitCalls(1);
        Submission second = gateway.submit(Wanted.saying("next").in("s").message());
        kept = second.runId();
        tool.release();
        gateway.ended(first.runId());
        Await.until("two tries", () -> begun.get() >= 2);
        int before = begun.get();
        Thread.sleep(500); // hundreds of tries, were they not apart
        assertTrue(begun.get() - before <= 3, begun + " tries");
        assertTrue(
                gateway.host.setbacks().stream().anyMatch(one -> one.id().equals(second.runId())),
                "told");
        kept = "";
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
    }

    @Test
    void cancellingItNeedsNoFoldAndDoesNotSpin() {
        Submission run = illegalRun("s");
        RunRow aside = quarantined(run.runId());
        assertIllegal(aside);
        int before = tapeReads.get();
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
        assertTrue(tapeReads.get() - before < 20, () -> tapeReads.get() - before + " reads");
        assertIllegal(aside);
        Await.until(
                "the command to be finished",
                () -> around.journal().pendingCommands("", 10).isEmpty());
    }

    /** Nothing was changed; what the engine refused is what verification names. */
    private void assertIllegal(RunRow run) {
        VerificationReport report = around.opened.verifyAll(() -> false);
        assertTrue(report.intact(), report::toString);
        VerificationReport.Finding illegal = report.judgement().illegal().getFirst();
        assertEquals(run.runId(), illegal.runId());
        assertEquals("tool_started", illegal.type());
        assertTrue(run.reason().contains(illegal.detail()), "one rule, one sentence");
    }

    @Test
    void cancellingARunThatCannotBeFoldedEndsItBeforeItIsSetAside() {
        Submission run = illegalRun("s");
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
    }

    @Test
    void retriedRunGoesOnWhereItWas() {
        String run = interruptedOften("s", 4, false);
        RunRow aside = quarantined(run);
        assertEquals(5, aside.attempts());
        assertTrue(
                aside.reason().contains("5 times in a row (quarantineAfterUncleanEnds)."),
                aside.reason());
        model.answer("at last");
        around.journal()
                .commit(
                        Unit.of(
                                new Operation.PutCommand(
                                        new CommandRow(
                                                IDS.next(),
                                                CommandRow.RETRY_RUN,
                                                run,
                                                LightGateway.ALICE.id(),
                                                "{}"
                                                        .getBytes(
                                                                java.nio.charset.StandardCharsets
                                                                        .UTF_8),
                                                false,
                                                "",
                                                0))));
        RunRow ended = gateway.ended(run);
        assertEquals(RunState.SUCCEEDED, ended.state());
        assertEquals(0, ended.attempts());
    }

    @Test
    void runThatOutlivesFewerUncleanEndsGoesOn() {
        model.answer("on");
        String run = interruptedOften("s", 3, false);
        RunRow ended = gateway.ended(run);
        assertEquals(RunState.SUCCEEDED, ended.state());
        assertEquals(0, ended.attempts(), "what got something done is not counted any more");
    }

    @Test
    void cleanStopsDoNotCount() {
        model.answer("on");
        String run = interruptedOften("s", 4, true);
        assertEquals(RunState.SUCCEEDED, gateway.ended(run).state());
    }

    /**
     * A run that was RUNNING at so many unclean ends; the gateway comes up after one more end, a
     * clean one if so wanted.
     */
    private String interruptedOften(String key, int uncleanEnds, boolean cleanly) {
        String agent = gateway.agents.defaultAgentId();
        gateway.close();
        String sessionId = IDS.next();
        String runId = IDS.next();
        around.journal()
                .commit(
                        Unit.builder()
                                .add(Planted.session(sessionId, key))
                                .addAll(Planted.running(runId, sessionId, agent, 1, "hi"))
                                .add(new Operation.NoteAttempts(runId, uncleanEnds))
                                .build());
        String dead = "boot/dead";
        around.journal().takeLease(EngineLease.NAME, dead, 1_000);
        if (cleanly) {
            around.journal().releaseLease(EngineLease.NAME, dead);
        }
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real -> WatchedJournal.of(real, this::watch),
                                FakeAccess.forTools())
                        .awaitReady();
        return runId;
    }

    /** Runs of an engine before are many more than may be active: they go on a few at a time. */
    @Test
    void resumingObeysTheBoundOfActiveRuns() {
        String agent = gateway.agents.defaultAgentId();
        gateway.close();
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String sessionId = IDS.next();
            String runId = IDS.next();
            runs.add(runId);
            around.journal()
                    .commit(
                            Unit.builder()
                                    .add(Planted.session(sessionId, "k" + i))
                                    .addAll(Planted.running(runId, sessionId, agent, 1, "hi"))
                                    .build());
            model.answer("answer " + i);
        }
        AtomicInteger claims = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.of(
                                                real,
                                                call -> {
                                                    most.accumulateAndGet(
                                                            model.runningTurns(), Math::max);
                                                    if (call.unit().stream()
                                                            .flatMap(u -> u.operations().stream())
                                                            .anyMatch(
                                                                    Operation.ClaimRun.class
                                                                            ::isInstance)) {
                                                        claims.incrementAndGet();
                                                    }
                                                    return call.proceed();
                                                }),
                                FakeAccess.forTools())
                        .awaitReady();
        runs.forEach(runId -> assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state()));
        assertEquals(1, claims.get(), "one unit takes them all");
        int bound = LightGateway.settings().maxActiveRuns();
        assertTrue(most.get() <= bound, () -> most.get() + " at a time, " + bound + " may");
    }
}
