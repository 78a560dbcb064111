package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/**
 * Calls of one step that share the workspace start in the order in which the model proposed them,
 * whatever people are asked about, also when the process dies in the middle.
 */
class StepOrderTest {
    private static final String WRITES = "test.writes";
    private static final String ASKS = "test.asks";
    private static final String READS = "test.reads";

    @TempDir Path folder;

    private final AtomicInteger lives = new AtomicInteger();

    @Test
    void aCallThatMayChangeTheWorkspaceWaitsForAnEarlierOneAndAReadingOneDoesNot() {
        try (Here here = new Here(folder.resolve("one"), "boot", UnaryOperator.identity())) {
            here.model
                    .turn(proposed(ASKS, 1), proposed(WRITES, 2), proposed(READS, 3), finished())
                    .answer("done");
            String runId = here.gateway.submit("go").runId();
            ApprovalRow question = here.people.waiting(runId).get(0);
            assertEquals(List.of(READS), here.startedTools(runId));
            here.people.yes(question, Answers.Yes.once());
            assertEquals(RunState.SUCCEEDED, here.gateway.ended(runId).state());
            assertEquals(List.of(READS, ASKS, WRITES), here.startedTools(runId));
        }
    }

    @Test
    void aNoLetsTheNextCallGoOn() {
        try (Here here = new Here(folder.resolve("no"), "boot", UnaryOperator.identity())) {
            here.model.turn(proposed(ASKS, 1), proposed(WRITES, 2), finished()).answer("done");
            String runId = here.gateway.submit("go").runId();
            here.people.no(here.people.waiting(runId).get(0), "user:boss", "no");
            assertEquals(RunState.SUCCEEDED, here.gateway.ended(runId).state());
            assertEquals(List.of(WRITES), here.startedTools(runId));
        }
    }

    @Test
    void peopleAreAskedAboutWhatEarlierCallsHaveLeft() {
        try (Here here = new Here(folder.resolve("after"), "boot", UnaryOperator.identity())) {
            here.writes.holding();
            here.model.turn(proposed(WRITES, 1), proposed(ASKS, 2), finished()).answer("done");
            String runId = here.gateway.submit("go").runId();
            here.writes.awaitCalls(1);
            assertEquals(List.of(), here.people.open(runId), "asked while a call writes");
            here.writes.release();
            here.people.yes(here.people.waiting(runId).get(0), Answers.Yes.once());
            assertEquals(RunState.SUCCEEDED, here.gateway.ended(runId).state());
            assertEquals(List.of(WRITES, ASKS), here.startedTools(runId));
        }
    }

    @TestFactory
    List<DynamicTest> keepsTheOrderWhenTheProcessDiesAtAnyWrite() {
        int writes = new Life(Integer.MAX_VALUE, false).undisturbed();
        assertTrue(writes >= 12, "only " + writes + " writes");
        List<DynamicTest> tests = new ArrayList<>();
        for (int write = 1; write <= writes; write++) {
            for (boolean after : new boolean[] {false, true}) {
                Life life = new Life(write, after);
                String name = "dying " + (after ? "after" : "before") + " write " + write;
                tests.add(DynamicTest.dynamicTest(name, life::dieAndComeBack));
            }
        }
        return tests;
    }

    private static ModelEvent proposed(String tool, int number) {
        return new ModelEvent.Proposed(new ToolProposal("", tool, "{\"n\":" + number + "}"));
    }

    private static ModelEvent finished() {
        return new ModelEvent.Finished("tool_calls", 1, 1);
    }

    private static List<ModelEvent> script(ModelRequest request) {
        return request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance)
                ? List.of(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        proposed(WRITES, 1),
                        proposed(ASKS, 2),
                        proposed(WRITES, 3),
                        proposed(ASKS, 4),
                        finished());
    }

    /** One life of a run with four calls and, unless it is undisturbed, the one after. */
    private final class Life {
        private final Path state = folder.resolve("life" + lives.incrementAndGet());
        private final AtomicInteger writes = new AtomicInteger();
        private final DyingJournal dying;

        Life(int dieAt, boolean after) {
            dying = new DyingJournal(dieAt, after, this::counts);
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

        int undisturbed() {
            live();
            return writes.get();
        }

        void dieAndComeBack() {
            live();
            try (Here here = new Here(state, "boot2", UnaryOperator.identity())) {
                String runId = here.gateway.submit(message()).runId();
                answerUntilEnded(here, here.people, runId);
                here.check(runId, dying.dead());
            }
        }

        private void live() {
            try (Here here = new Here(state, "boot1", dying::around)) {
                String runId = here.gateway.submit(message()).runId();
                answerUntilEnded(here, new Answers(dying.around(here.around.journal())), runId);
                if (!dying.dead()) {
                    here.check(runId, false);
                }
            } catch (DyingJournal.Dead e) {
                assertTrue(dying.dead());
            }
        }

        private void answerUntilEnded(Here here, Answers people, String runId) {
            Await.until(
                    "the run to end",
                    Duration.ofSeconds(60),
                    () -> {
                        for (ApprovalRow question : here.people.open(runId)) {
                            try {
                                people.yes(question, Answers.Yes.once());
                            } catch (PalyraException e) {
                                continue; // it changed meanwhile: look again
                            }
                        }
                        boolean first = here.boot.equals("boot1");
                        return first && dying.dead() || here.hasEnded(runId);
                    });
        }

        private static SubmittedMessage message() {
            return new SubmittedMessage("shell", "key", "", "", "", "", "", "work", "", false);
        }
    }

    /** Everything of one process. */
    private static final class Here implements AutoCloseable {
        private final RecordingTool writes = RecordingTool.withEffect(WRITES);
        private final String boot;
        private final Path effects;
        private final LightGateway.Surroundings around;
        private final ScriptedModelProvider model =
                new ScriptedModelProvider().otherwise(StepOrderTest::script);
        private final LightGateway gateway;
        private final Answers people;

        Here(Path state, String boot, UnaryOperator<Journal> wrap) {
            this.boot = boot;
            effects = state.resolveSibling(state.getFileName() + ".effects");
            around =
                    new LightGateway.Surroundings(
                            state,
                            boot,
                            writes.doing(this::effect),
                            RecordingTool.withEffect(ASKS).doing(this::effect),
                            RecordingTool.named(READS));
            PeopleAccess access = new PeopleAccess(ASKS);
            gateway = new LightGateway(around, model, boot + "/1", wrap, access).awaitReady();
            if (!boot.equals("boot2")) {
                gateway.offering(WRITES, ASKS, READS);
            }
            people = new Answers(around.journal());
        }

        private ToolResult effect(ToolInvocation call) {
            try {
                Files.writeString(
                        effects,
                        call.inputJson() + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                return ToolResult.of("{}");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean hasEnded(String runId) {
            return around.journal().run(runId).filter(row -> row.state().terminal()).isPresent();
        }

        List<String> startedTools(String runId) {
            return gateway.records(runId, TapeEvent.ToolStarted.class).stream()
                    .map(TapeEvent.ToolStarted::tool)
                    .toList();
        }

        /** Each call took effect once, in order; one that died may have taken none. */
        void check(String runId, boolean died) {
            assertEquals(
                    RunState.SUCCEEDED, around.journal().run(runId).orElseThrow().state(), runId);
            List<TapeEvent> tape = LightGateway.tape(around.journal(), runId);
            List<String> happened = happened();
            assertEquals(happened.stream().sorted().distinct().toList(), happened);
            long lost =
                    tape.stream()
                            .filter(
                                    event ->
                                            event instanceof TapeEvent.ToolCallOutput output
                                                    && output.outcome() == Outcome.INTERRUPTED)
                            .count();
            assertTrue(lost <= (died ? 1 : 0), lost + " calls were lost");
            assertTrue(happened.size() >= 4 - lost, happened.toString());
            long asked = tape.stream().filter(TapeEvent.ApprovalRequest.class::isInstance).count();
            assertEquals(2, asked, "each question is asked once");
            around.assertVerified();
        }

        private List<String> happened() {
            try {
                return Files.exists(effects) ? Files.readAllLines(effects) : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            gateway.close();
            model.close();
            around.close();
        }
    }
}
