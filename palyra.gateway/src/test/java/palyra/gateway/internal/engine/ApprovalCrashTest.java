package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;

/**
 * The process dies at every write of the story of an approval, just before it and just after, those
 * of the person included; then it starts again. Nothing is lost, nothing runs twice, nothing runs
 * without a person's yes that covers it.
 */
class ApprovalCrashTest {
    private static final String TOOL = "test.effect";
    private static final long PATIENCE_SECONDS = 60;
    private static final int AT_ONCE = 3;

    /** What people do with the first question; a second one is answered by the other word. */
    private enum Story {
        APPROVE(TapeEvent.Outcome.SUCCEEDED),
        DENY(TapeEvent.Outcome.DENIED),
        EXPIRE(TapeEvent.Outcome.DENIED),
        REVOKE(TapeEvent.Outcome.DENIED),
        CONFLICT(TapeEvent.Outcome.SUCCEEDED);

        private final Outcome undisturbed;

        Story(Outcome undisturbed) {
            this.undisturbed = undisturbed;
        }
    }

    private static Thread.UncaughtExceptionHandler before;
    @TempDir static Path folder;

    @BeforeAll
    static void quiet() {
        before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> {
                    if (!(e instanceof DyingJournal.Dead)) {
                        e.printStackTrace();
                    }
                });
    }

    @AfterAll
    static void loud() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    @TestFactory
    List<DynamicTest> survivesDeathAtEveryWriteOfAnApproval() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
        List<DynamicTest> tests = new ArrayList<>();
        for (Story story : Story.values()) {
            int writes = new Life(story, Integer.MAX_VALUE, false).undisturbed();
            assertTrue(writes >= 7, story + " has only " + writes + " writes");
            for (int write = 1; write <= writes; write++) {
                for (boolean after : new boolean[] {false, true}) {
                    Life life = new Life(story, write, after);
                    Future<?> lived = pool.submit(life::dieAndComeBack);
                    tests.add(
                            DynamicTest.dynamicTest(
                                    life.toString(),
                                    () -> lived.get(5 * PATIENCE_SECONDS, TimeUnit.SECONDS)));
                }
            }
        }
        pool.shutdown();
        return tests;
    }

    /** One life of the story and, unless it is undisturbed, the one after. */
    private static final class Life {
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final Story story;
        private final int dieAt;
        private final boolean after;
        private final Path state;
        private final Path effects;
        private final AtomicInteger writes = new AtomicInteger();
        private final AtomicBoolean meddled = new AtomicBoolean();

        Life(Story story, int dieAt, boolean after) {
            this.story = story;
            this.dieAt = dieAt;
            this.after = after;
            this.state = folder.resolve("life" + COUNT.incrementAndGet());
            this.effects = folder.resolve(state.getFileName() + ".effects");
        }

        @Override
        public String toString() {
            return story + ", dying " + (after ? "after" : "before") + " write " + dieAt;
        }

        /** The positive control; returns how many writes there are. */
        int undisturbed() {
            live(new DyingJournal(dieAt, after, this::counts));
            return writes.get();
        }

        void dieAndComeBack() {
            DyingJournal dying = new DyingJournal(dieAt, after, this::counts);
            live(dying);
            try (Here here = new Here("boot2", UnaryOperator.identity())) {
                String runId = here.gateway.submit(message()).runId();
                answerUntilEnded(here.around.journal(), runId, () -> false);
                check(here, runId, dying.dead());
            }
        }

        private void live(DyingJournal dying) {
            try (Here here = new Here("boot1", dying::around)) {
                Journal seen = dying.around(here.around.journal());
                try {
                    String runId = here.gateway.submit(message()).runId();
                    answerUntilEnded(seen, runId, dying::dead);
                    if (!dying.dead()) {
                        check(here, runId, false);
                    }
                } catch (DyingJournal.Dead e) {
                    assertTrue(dying.dead());
                }
            }
        }

        private boolean counts(Unit unit) {
            boolean ofTheRun =
                    unit.lane() == Unit.Lane.COMMAND
                            && unit.operations().toString().matches("(?s).*(streamId|runId)=01.*");
            if (ofTheRun) {
                writes.incrementAndGet();
            }
            return ofTheRun;
        }

        /** Everything of one process. */
        private final class Here implements AutoCloseable {
            final LightGateway.Surroundings around;
            final ScriptedModelProvider model =
                    new ScriptedModelProvider().otherwise(ApprovalCrashTest::script);
            final LightGateway gateway;

            Here(String boot, UnaryOperator<Journal> wrap) {
                around =
                        new LightGateway.Surroundings(
                                state,
                                boot,
                                // harmless by its own word: even so it is not repeated
                                RecordingTool.named(TOOL).doing(i -> effect(i.callId())));
                PeopleAccess access = new PeopleAccess(TOOL);
                if (story == Story.EXPIRE) {
                    access.terms =
                            new ApprovalTerms(
                                    Set.of("group:approver"),
                                    true,
                                    300,
                                    PeopleAccess.TERMS.scopes(),
                                    1);
                }
                gateway =
                        new LightGateway(
                                        around,
                                        model,
                                        boot + "/1",
                                        real -> wrap.apply(meddling(real)),
                                        access)
                                .awaitReady();
                if (boot.equals("boot1")) {
                    gateway.offering(TOOL);
                }
            }

            @Override
            public void close() {
                gateway.close();
                model.close();
                around.close();
            }
        }

        private ToolResult effect(String callId) {
            try {
                Files.writeString(
                        effects,
                        callId + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                return ToolResult.of("{}");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** In the story of a conflict, the first grant ends between its decision and its use. */
        private Journal meddling(Journal real) {
            if (story != Story.CONFLICT) {
                return real;
            }
            return WatchedJournal.before(
                    real,
                    unit ->
                            unit.operations().stream()
                                    .filter(Operation.UseGrant.class::isInstance)
                                    .map(o -> ((Operation.UseGrant) o).grantId())
                                    .findFirst()
                                    .filter(grant -> meddled.compareAndSet(false, true))
                                    .ifPresent(grant -> new Answers(real).revoke(grant)));
        }

        /** A person who looks again and again until the run is over. */
        private void answerUntilEnded(Journal journal, String runId, DeadCheck dead) {
            Answers people = new Answers(journal);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!dead.isDead() && !ended(journal, runId)) {
                assertTrue(
                        System.nanoTime() < deadline,
                        this + ": the run is lost: " + journal.run(runId));
                for (ApprovalRow question : people.open(runId)) {
                    try {
                        answer(people, question);
                    } catch (PalyraException e) {
                        continue; // it changed meanwhile: look again
                    }
                }
                LockSupport.parkNanos(5_000_000);
            }
        }

        private static boolean ended(Journal journal, String runId) {
            return journal.run(runId).filter(row -> row.state().terminal()).isPresent();
        }

        private void answer(Answers people, ApprovalRow question) {
            boolean again = Answers.question(question).ask() > 1;
            switch (story) {
                case APPROVE, CONFLICT -> people.yes(question, Answers.Yes.once());
                case DENY -> people.no(question, "user:boss", "no");
                case EXPIRE -> {}
                case REVOKE -> {
                    if (again) {
                        people.no(question, "user:boss", "no");
                    } else {
                        people.yesAndNoMore(question);
                    }
                }
            }
        }

        private void check(Here here, String runId, boolean died) {
            Journal journal = here.around.journal();
            RunRow run = journal.run(runId).orElseThrow();
            assertEquals(RunState.SUCCEEDED, run.state(), this + ": " + run.reason());
            assertEquals(1, journal.runs("", "", "", 10).size(), "one message, one run");
            List<TapeEvent> tape = LightGateway.tape(journal, runId);
            Outcome outcome = outcome(tape);
            List<String> happened = happened();
            assertEquals(happened.stream().distinct().toList(), happened, "nothing ran twice");
            if (outcome == Outcome.INTERRUPTED) {
                assertTrue(
                        died && story.undisturbed == Outcome.SUCCEEDED, this + " was interrupted");
            } else {
                assertEquals(story.undisturbed, outcome, toString());
                assertEquals(outcome == Outcome.SUCCEEDED ? 1 : 0, happened.size(), toString());
            }
            everyStartHasItsYes(journal, tape, happened);
            here.around.assertVerified();
        }

        private Outcome outcome(List<TapeEvent> tape) {
            List<Outcome> outcomes =
                    tape.stream()
                            .filter(TapeEvent.ToolCallOutput.class::isInstance)
                            .map(e -> ((TapeEvent.ToolCallOutput) e).outcome())
                            .toList();
            assertEquals(1, outcomes.size(), "one output for the one proposal");
            return outcomes.get(0);
        }

        private List<String> happened() {
            try {
                return Files.exists(effects) ? Files.readAllLines(effects) : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Reads the tape forward: a start needs a grant that a yes before it made. */
        private void everyStartHasItsYes(
                Journal journal, List<TapeEvent> tape, List<String> happened) {
            List<String> granted = new ArrayList<>();
            List<String> started = new ArrayList<>();
            for (TapeEvent event : tape) {
                if (event instanceof TapeEvent.ApprovalDecision yes && yes.granted()) {
                    granted.add(yes.grantId());
                } else if (event instanceof TapeEvent.ToolStarted start) {
                    assertTrue(granted.contains(start.grantId()), this + " started without a yes");
                    started.add(start.grantId());
                }
            }
            assertTrue(happened.size() <= started.size(), this + " ran without a start");
            for (String grant : granted) {
                Optional<GrantRow> row = journal.grant(grant);
                assertEquals(
                        started.stream().filter(grant::equals).count(),
                        (long) row.orElseThrow().uses(),
                        this + ": uses of " + grant);
            }
        }

        private static SubmittedMessage message() {
            return new SubmittedMessage("shell", "key", "", "", "", "", "", "work", "", false);
        }
    }

    /** Whether the process is dead. */
    @FunctionalInterface
    private interface DeadCheck {
        boolean isDead();
    }

    private static List<ModelEvent> script(ModelRequest request) {
        boolean toldOutputs =
                request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance);
        return toldOutputs
                ? List.of(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        new ModelEvent.Proposed(new ToolProposal("", TOOL, "{\"n\":1}")),
                        new ModelEvent.Finished("tool_calls", 1, 1));
    }
}
