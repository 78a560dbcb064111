package palyra.console.internal.run.card;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.api.model.ToolProposal;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

class StoryBuilderTest {
    private static final String RUN = "01J0000000000000000000000A";
    private static final String CALL = RUN + ".1.0";
    private static final String APPROVAL = "01J0000000000000000000000B";

    private static final List<TapeEvent> CALL_EVENTS =
            List.of(
                    new TapeEvent.ToolCallProposal(CALL, 1, 0, "palyra.echo", "{\"text\":\"hi\"}"),
                    new TapeEvent.ToolDecision(
                            CALL,
                            "palyra.echo",
                            Verdict.APPROVAL_REQUIRED,
                            "policy.approval",
                            "A person must say yes.",
                            "POLICY",
                            List.of("ask-first"),
                            ""),
                    new TapeEvent.ApprovalRequest(APPROVAL, CALL, "{}", 1, "", 1),
                    new TapeEvent.ApprovalDecision(
                            APPROVAL,
                            CALL,
                            true,
                            "once",
                            "user:ada",
                            "fine",
                            "exact",
                            "",
                            List.of()),
                    new TapeEvent.ToolStarted(CALL, 1, "palyra.echo", ""),
                    new TapeEvent.ToolCallOutput(
                            CALL, 1, "palyra.echo", Outcome.SUCCEEDED, "{\"text\":\"hi\"}", ""),
                    new TapeEvent.ToolAttestation(
                            "a", CALL, "builtin", "none", 1, false, "", "", "", "k", ""));

    private static TapeRecord record(long seq, TapeEvent event) {
        return record(
                seq, TapeCodec.type(event), TapeCodec.schema(event), TapeCodec.payload(event));
    }

    private static TapeRecord record(long seq, String type, int schema, byte[] payload) {
        byte[] hash = new byte[32];
        return new TapeRecord(RUN, seq, type, seq, schema, hash, payload, hash, hash, hash);
    }

    private static StoryBuilder story(List<TapeEvent> events) {
        StoryBuilder story = new StoryBuilder();
        for (int i = 0; i < events.size(); i++) {
            story.take(record(i + 1, events.get(i)));
        }
        return story;
    }

    private static ToolCard card(List<TapeEvent> events) {
        List<Item> items = story(events).items();
        assertEquals(1, items.size(), "one call is one card");
        return ((Item.Call) items.get(0)).card();
    }

    @Test
    void aCallIsOneCardInEachOfItsStates() {
        List<String> states =
                List.of(
                        "proposed",
                        "approval needed",
                        "waits for approval",
                        "approved",
                        "running",
                        "done",
                        "done");
        for (int i = 0; i < states.size(); i++) {
            ToolCard card = card(CALL_EVENTS.subList(0, i + 1));
            assertEquals(states.get(i), card.state());
            assertEquals(i == 2, card.waits(), card.state());
            assertEquals(i + 1, card.steps().size());
        }
        ToolCard whole = card(CALL_EVENTS);
        assertTrue(whole.attested());
        assertTrue(whole.steps().get(1).sentence().contains("A person must say yes."));
        assertTrue(whole.steps().get(1).sentence().contains("ask-first"));
    }

    @Test
    void recordsInAnyOrderAreStillOneCardWithTheOutcome() {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            List<TapeEvent> shuffled = new ArrayList<>(CALL_EVENTS);
            Collections.shuffle(shuffled, random);
            ToolCard card = card(shuffled);
            assertEquals("done", card.state());
            assertFalse(card.waits());
            assertEquals("palyra.echo", card.tool());
            assertEquals(CALL_EVENTS.size(), card.steps().size());
        }
    }

    @Test
    void whatALostAttemptStreamedIsNotShown() {
        List<Item> items =
                story(
                                List.of(
                                        new TapeEvent.ModelToken(1, 1, "lost"),
                                        new TapeEvent.TurnRestarted(1, 2, "The model failed."),
                                        new TapeEvent.ModelToken(1, 2, "kept")))
                        .items();
        Item.Turn turn = (Item.Turn) items.get(0);
        assertEquals("kept", turn.text());
        assertEquals("The model failed.", turn.restarts());
        assertFalse(turn.finished());
    }

    @Test
    void theFinalAnswerIsShownOnce() {
        StoryBuilder story =
                story(
                        List.of(
                                new TapeEvent.Message(
                                        TapeEvent.Role.USER, "hi", "user:ada", "console", ""),
                                new TapeEvent.TurnFinished(
                                        1, 1, "hello", "stop", List.<ToolProposal>of(), 1, 1),
                                new TapeEvent.Message(
                                        TapeEvent.Role.AGENT, "hello", "", "console", "")));
        assertEquals(2, story.items().size());
        assertEquals(1, story.finishedTurn());
    }

    @Test
    void aRecordThatCannotBeReadIsARemark() {
        StoryBuilder story = new StoryBuilder();
        story.take(record(1, "message", 1, "{\"role\":".getBytes(StandardCharsets.UTF_8)));
        story.take(record(2, "message", 1, null));
        story.take(record(3, "from_the_future", 9, new byte[0]));
        assertEquals(3, story.items().size());
        story.items().forEach(item -> assertTrue(item instanceof Item.Remark, item.toString()));
        assertEquals(3, story.lastSeq());
    }
}
