package palyra.shell.internal.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.shell.internal.commands.FakeRuns.RUN;
import static palyra.shell.internal.commands.FakeRuns.answer;
import static palyra.shell.internal.commands.FakeRuns.ended;
import static palyra.shell.internal.commands.FakeRuns.recorded;
import static palyra.shell.internal.commands.FakeRuns.text;
import static palyra.shell.internal.commands.FakeRuns.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.command.ExitCodes;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.shell.internal.fakes.FakeApprovals;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.host.StopCause;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

@Timeout(60)
class AskCommandTest {
    private final HostFixture fixture = new HostFixture();
    private final FakeRuns runs = new FakeRuns();

    @BeforeEach
    void add() {
        fixture.seams.runs().add(runs, Map.of());
        fixture.add(new AskCommand(fixture.seams));
    }

    private static void simple(FakeRuns runs) {
        runs.script(
                (observer, after) -> {
                    observer.onEvent(recorded(1, turn(1, 1)));
                    observer.onEvent(text(1, 1, "four"));
                    observer.onEvent(text(1, 1, "ty-two"));
                    observer.onEvent(recorded(2, answer("forty-two")));
                    observer.onEvent(ended(RunState.SUCCEEDED, ""));
                });
    }

    @Test
    void streamsTheAnswer() throws Exception {
        simple(runs);
        HostFixture.Run run = fixture.run("ask", "what", "is it", "--session", "work", "--new");
        assertEquals(ExitCodes.OK, run.code());
        assertEquals("fourty-two\n", run.outText());
        assertEquals("", run.errText());
        SubmittedMessage message = runs.submitted.get(0);
        assertEquals("what is it", message.text());
        assertEquals("work", message.sessionKey());
        assertEquals("shell", message.surface());
        assertTrue(message.newSession());
    }

    @Test
    void printsOneJsonObject() throws Exception {
        simple(runs);
        HostFixture.Run run = fixture.run("ask", "--json", "x");
        assertEquals(1, run.outText().lines().count());
        JsonNode json = new ObjectMapper().readTree(run.outText());
        assertEquals(RUN, json.get("runId").asText());
        assertEquals("SUCCEEDED", json.get("state").asText());
        assertEquals("forty-two", json.get("answer").asText());
    }

    @Test
    void printsOnlyTheFinalAnswerWhenAsked() throws Exception {
        simple(runs);
        assertEquals("forty-two\n", fixture.run("ask", "--final", "x").outText());
    }

    @Test
    void takesTheSessionById() throws Exception {
        simple(runs);
        fixture.run("ask", "x", "--session", FakeRuns.SESSION);
        assertEquals(FakeRuns.SESSION, runs.submitted.get(0).sessionId());
        assertEquals("", runs.submitted.get(0).sessionKey());
    }

    @Test
    void readsTheMessageFromInput() throws Exception {
        simple(runs);
        FakeCommandContext context =
                FakeCommandContext.builder().positionals("-").in("from a pipe\n").build();
        assertEquals(ExitCodes.OK, context.run(new AskCommand(fixture.seams)));
        assertEquals("from a pipe\n", runs.submitted.get(0).text());
        FakeCommandContext bad =
                FakeCommandContext.builder()
                        .positionals("-")
                        .in(new ByteArrayInputStream(new byte[] {(byte) 0xC3, 0x28}))
                        .build();
        assertEquals(ExitCodes.USAGE, bad.run(new AskCommand(fixture.seams)));
        assertEquals(1, runs.submitted.size());
    }

    @Test
    void tellsAPersonWhatHappensBeside() throws Exception {
        runs.script(
                (observer, after) -> {
                    observer.onEvent(text(1, 1, "let me see"));
                    observer.onEvent(
                            recorded(
                                    2,
                                    new TapeEvent.ToolCallProposal(
                                            "c", 1, 0, "palyra.echo", "{\"a\":1}")));
                    observer.onEvent(ended(RunState.SUCCEEDED, ""));
                });
        FakeCommandContext context =
                FakeCommandContext.builder().positionals("x").terminal(80).build();
        context.run(new AskCommand(fixture.seams));
        assertEquals("let me see\n", context.output().text());
        assertEquals(List.of("· palyra.echo {\"a\":1}"), context.output().notes());
    }

    @Test
    void tellsWhatTheRunWaitsForWithoutATerminalToo() throws Exception {
        for (String option : List.of("--new", "--quiet", "--json")) {
            runs.script(
                    (observer, after) -> {
                        observer.onEvent(
                                new RunEvent.Waiting(RunState.ACCEPTED, "queued, number 1"));
                        observer.onEvent(ended(RunState.SUCCEEDED, ""));
                    });
            HostFixture.Run run = fixture.run("ask", "x", option);
            assertEquals(ExitCodes.OK, run.code());
            String told = option.equals("--new") ? "· queued, number 1\n" : "";
            assertEquals(told, run.errText(), option);
            assertTrue(!run.outText().contains("queued"), run.outText());
        }
    }

    @Test
    void failsWhenTheRunFails() throws Exception {
        runs.script(
                (observer, after) -> observer.onEvent(ended(RunState.FAILED, "the model is gone")));
        HostFixture.Run run = fixture.run("ask", "x");
        assertEquals(ExitCodes.FAILED, run.code());
        assertTrue(run.errText().contains("failed: the model is gone"), run.errText());
    }

    @Test
    void cancelsTheRunOnCtrlC() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        runs.script(
                (observer, after) -> {
                    observer.onEvent(text(1, 1, "slow"));
                    begun.countDown();
                    new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                });
        runs.script(
                (observer, after) -> {
                    assertTrue(runs.cancelled.await(10, TimeUnit.SECONDS));
                    observer.onEvent(ended(RunState.CANCELLED, "stopped"));
                });
        HostFixture.Run run = fixture.start("ask", "x");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
        assertTrue(runs.calls().contains("cancel " + RUN + " stopped with Ctrl-C"));
        assertTrue(run.errText().contains("was cancelled"), run.errText());
        assertEquals("slow\n", run.outText());
    }

    private void waits(FakeApprovals approvals) {
        approvals.add(FakeApprovals.question(FakeApprovals.QUESTION, 1, "Run git", ""));
        fixture.seams.approvals().add(approvals, Map.of());
        runs.script(
                (observer, after) -> {
                    observer.onEvent(
                            recorded(
                                    1,
                                    new TapeEvent.ApprovalRequest(
                                            FakeApprovals.QUESTION,
                                            FakeApprovals.CALL,
                                            "{}",
                                            Long.MAX_VALUE,
                                            "ab",
                                            1)));
                    Await.until("an answer", () -> !approvals.answers().isEmpty());
                    observer.onEvent(ended(RunState.SUCCEEDED, ""));
                });
    }

    @Test
    void asksThePersonAtTheTerminalWhenTheRunWaits() throws Exception {
        FakeApprovals approvals = new FakeApprovals();
        waits(approvals);
        PipedOutputStream keyboard = new PipedOutputStream();
        HostFixture.Run run =
                fixture.start(new PipedInputStream(keyboard), true, "ask", "x", "--quiet");
        Await.until("the question", () -> run.outText().contains("Your answer"));
        assertTrue(run.errText().contains("? Run git"), run.errText());
        keyboard.write("2 go on\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertEquals("go on", approvals.answers().get(0).reason());
        assertTrue(approvals.answers().get(0).granted());
    }

    @Test
    void leavesARunWaitingThatWaitsForAPersonOnCtrlC() throws Exception {
        FakeApprovals approvals = new FakeApprovals();
        waits(approvals);
        HostFixture.Run run =
                fixture.start(new PipedInputStream(new PipedOutputStream()), true, "ask", "x");
        Await.until("the question", () -> run.outText().contains("Your answer"));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
        assertTrue(run.errText().replace('\n', ' ').contains("left waiting"), run.errText());
        assertTrue(
                run.errText().replace('\n', ' ').contains("palyra run follow " + RUN),
                run.errText());
        assertEquals(0, runs.calls().stream().filter(c -> c.startsWith("cancel")).count());
        assertEquals(List.of(), approvals.answers());
    }

    @Test
    void letsTheRunGoOnWhenTheTerminalIsLostOrTheShellIsReplaced() throws Exception {
        for (StopCause cause : List.of(StopCause.DISCONNECTED, StopCause.WITHDRAWN)) {
            CountDownLatch begun = new CountDownLatch(1);
            runs.script(
                    (observer, after) -> {
                        begun.countDown();
                        new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                    });
            HostFixture.Run run = fixture.start("ask", "x");
            assertTrue(begun.await(10, TimeUnit.SECONDS));
            run.execution.stop(cause);
            run.code();
            assertEquals(0, runs.calls().stream().filter(c -> c.startsWith("cancel")).count());
            assertEquals(
                    cause == StopCause.WITHDRAWN,
                    run.errText().contains("palyra run follow " + RUN));
        }
    }

    @Test
    void waitsForAGatewayThatIsAway() throws Exception {
        runs.unrouted(3);
        simple(runs);
        HostFixture.Run run = fixture.run("ask", "x");
        assertEquals(ExitCodes.OK, run.code());
        assertTrue(run.errText().contains("queued as message " + FakeRuns.MESSAGE));
        assertEquals("fourty-two\n", run.outText());
    }

    @Test
    void givesUpWaitingButTheMessageStays() throws Exception {
        runs.unrouted(Integer.MAX_VALUE);
        HostFixture.Run run = fixture.run("ask", "x", "--wait", "0");
        assertEquals(ExitCodes.UNAVAILABLE, run.code());
        assertTrue(run.errText().contains("stays queued"), run.errText());
        assertEquals(1, runs.submitted.size());
    }

    @Test
    void doesNotWaitInTheBackground() throws Exception {
        HostFixture.Run run = fixture.run("ask", "--background", "x");
        assertEquals(RUN + "\n", run.outText());
        assertEquals("background", runs.submitted.get(0).originKind());
        runs.unrouted(1);
        HostFixture.Run queued = fixture.run("ask", "--background", "x");
        assertEquals(ExitCodes.OK, queued.code());
        assertEquals("", queued.outText());
        assertTrue(queued.errText().contains("queued as message"), queued.errText());
    }

    @Test
    void followsAgainAfterAnInterruptionAndShowsEachPieceOnce() throws Exception {
        runs.script(
                (observer, after) -> {
                    observer.onEvent(recorded(1, turn(1, 1)));
                    observer.onEvent(text(1, 1, "one "));
                    observer.onEvent(
                            recorded(3, new TapeEvent.ExternalEvent("e", "note", "p", "1")));
                    observer.onEvent(new RunEvent.Text(1, 1, false, 4, "two "));
                    observer.onInterrupted("swapped");
                });
        runs.script(
                (observer, after) -> {
                    observer.onEvent(new RunEvent.Text(1, 1, false, 8, "three"));
                    observer.onEvent(new RunEvent.Dropped(1, "told again"));
                    observer.onEvent(text(1, 1, "one two three"));
                    observer.onEvent(ended(RunState.SUCCEEDED, ""));
                });
        HostFixture.Run run = fixture.run("ask", "x");
        assertEquals("one two three\n", run.outText());
        assertEquals(List.of(RunPosition.START, new RunPosition(3, 1, 1, 8, 0)), runs.positions());
    }

    @Test
    void followsAgainWhenTheFrontOfTheGatewayWasAway() throws Exception {
        runs.script(
                (observer, after) -> {
                    observer.onEvent(recorded(1, turn(1, 1)));
                    observer.onEvent(text(1, 1, "a"));
                    fixture.seams.runs().remove(runs);
                    observer.onInterrupted("swapped");
                });
        simple(runs);
        HostFixture.Run run = fixture.start("ask", "x");
        Await.until("the service to be away", () -> !fixture.seams.runs().isPresent());
        fixture.seams.runs().add(runs, Map.of());
        assertEquals(ExitCodes.OK, run.code());
        assertTrue(run.outText().endsWith("fourty-two\n"), run.outText());
    }

    @Test
    void refusesBadOptionsBeforeAnythingIsSubmitted() throws Exception {
        for (String[] argv :
                List.of(
                        new String[] {"ask"},
                        new String[] {"ask", "x", "--wait", "soon"},
                        new String[] {"ask", "x", "--wait", "-1"},
                        new String[] {"ask", " "},
                        new String[] {"ask", "x".repeat(SubmittedMessage.MAX_TEXT + 1)})) {
            HostFixture.Run run = fixture.run(argv);
            assertEquals(ExitCodes.USAGE, run.code(), run.errText());
            assertEquals(1, run.errText().lines().count());
        }
        assertEquals(List.of(), runs.submitted);
    }

    @Test
    void followsARunAsJsonLines() throws Exception {
        fixture.add(new RunFollowCommand(fixture.seams));
        simple(runs);
        HostFixture.Run run = fixture.run("run", "follow", RUN, "--json");
        assertEquals(ExitCodes.OK, run.code());
        List<String> events =
                run.outText()
                        .lines()
                        .map(
                                line -> {
                                    try {
                                        return new ObjectMapper()
                                                .readTree(line)
                                                .get("event")
                                                .asText();
                                    } catch (IOException e) {
                                        throw new AssertionError(line, e);
                                    }
                                })
                        .toList();
        assertEquals(List.of("record", "text", "text", "record", "ended"), events);
    }
}
