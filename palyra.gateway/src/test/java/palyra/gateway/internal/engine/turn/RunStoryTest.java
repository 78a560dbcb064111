package palyra.gateway.internal.engine.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;

/** What the next runs of a session are shown of a run. */
class RunStoryTest {
    private final List<ModelMessage> conversation = new ArrayList<>();
    private final List<TapeEvent> tape = new ArrayList<>();

    private void call(int n, String input, Outcome outcome, String output, String error) {
        String id = "call-" + n;
        conversation.add(
                new ModelMessage.Assistant("", List.of(new ToolProposal(id, "test.tool", input))));
        tape.add(new TapeEvent.ToolCallProposal(id, 1, n, "test.tool", input));
        if (outcome == null) {
            return;
        }
        TapeEvent.ToolCallOutput out =
                new TapeEvent.ToolCallOutput(id, 1, "test.tool", outcome, output, error);
        tape.add(out);
        conversation.add(
                new ModelMessage.ToolOutput(
                        id,
                        "test.tool",
                        outcome == Outcome.SUCCEEDED,
                        palyra.shared.fold.Call.told(out)));
    }

    private String shown() {
        assertEquals(RunStory.told(conversation), RunStory.taped(tape));
        return RunStory.message("do it", RunStory.told(conversation));
    }

    @Test
    void messageWithoutCallsIsUnchanged() {
        assertEquals("do it", shown());
    }

    @Test
    void callsAreShownWithInputAndOutcome() {
        call(1, "{\"a\":1}", Outcome.SUCCEEDED, "{\"b\":2}", "");
        call(2, "{}", Outcome.TIMED_OUT, "{\"stdout\":\"half\"}", "its time was up");
        call(3, "{}", null, "", "");
        assertEquals(
                "do it\n\n[Record of the gateway: calls of tools for this message, shortened.\n"
                        + "- test_tool {\"a\":1} -> succeeded: {\"b\":2}\n"
                        + "- test_tool {} -> timed_out: its time was up\n{\"stdout\":\"half\"}\n"
                        + "- test_tool {} -> no result]",
                shown());
    }

    @Test
    void longCallsAreShortenedAndOnlyTheLastOfManyShown() {
        for (int i = 1; i <= 100; i++) {
            String long1 = "{\"n\":" + i + ",\"x\":\"" + "x".repeat(5_000) + "\"}";
            call(i, long1, Outcome.SUCCEEDED, long1, "");
        }
        String shown = shown();
        assertTrue(shown.length() < RunStory.MOST_CHARS + 200, shown.length() + " characters");
        assertTrue(shown.contains("{\"n\":100,"), shown);
        assertTrue(shown.contains(" earlier ones are left out."), shown);
        assertTrue(shown.contains("characters left out"), shown);
        long lines = shown.lines().filter(line -> line.startsWith("- test_tool")).count();
        assertTrue(shown.contains(" " + (100 - lines) + " earlier ones"), shown);
    }

    @Test
    void runWithoutAnAnswerSaysHowItEnded() {
        assertEquals(
                "[This run ended FAILED without an answer: no model]",
                RunStory.ending(RunState.FAILED, "no model", ""));
        assertEquals(
                "[This run ended CANCELLED without an answer]",
                RunStory.ending(RunState.CANCELLED, "", ""));
    }

    @Test
    void whatTheAgentSaidBeforeARunEndedIsKept() {
        tape.add(started(1, 1));
        tape.add(new TapeEvent.ModelToken(1, 1, "I look "));
        tape.add(new TapeEvent.TurnFinished(1, 1, "I look first.", "tool_calls", List.of(), 1, 1));
        tape.add(started(2, 1));
        tape.add(new TapeEvent.ModelToken(2, 1, "lost attempt"));
        tape.add(new TapeEvent.TurnRestarted(2, 2, "it was cut"));
        tape.add(started(2, 2));
        tape.add(new TapeEvent.ModelThought(2, 2, "a thought"));
        tape.add(new TapeEvent.ModelToken(2, 2, "The answer "));
        tape.add(new TapeEvent.ModelToken(2, 2, "is f"));
        assertEquals(
                "I look first.\n\nThe answer is f\n\n"
                        + "[This run ended CANCELLED before the answer was complete: stop]",
                RunStory.ending(RunState.CANCELLED, "stop", RunStory.said(tape)));
    }

    @Test
    void longWordsOfARunWithoutAnAnswerAreShortened() {
        tape.add(started(1, 1));
        tape.add(new TapeEvent.ModelToken(1, 1, "first " + "x".repeat(50_000) + " last"));
        String shown = RunStory.ending(RunState.FAILED, "", RunStory.said(tape));
        assertTrue(shown.length() < RunStory.SAID_CHARS + 200, shown.length() + " characters");
        assertTrue(shown.startsWith("first "), shown);
        assertTrue(shown.contains(" last\n\n[This run ended FAILED"), shown);
    }

    private static TapeEvent started(int turn, int attempt) {
        return new TapeEvent.TurnStarted(turn, attempt, "main", "p", "m", "a", "b", "", 16, 1);
    }
}
