package palyra.console.internal.run.card;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;
import palyra.api.tape.TapeEvent.ApprovalVoted;
import palyra.api.tape.TapeEvent.ToolAttestation;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.api.tape.TapeEvent.ToolStarted;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/**
 * Puts the records of one run together for readers. A record that it cannot read is a remark, never
 * an error. Not thread-safe.
 */
public final class StoryBuilder {
    private static final String TOKEN = "model_token";
    private static final String THOUGHT = "model_thought";

    private final List<Supplier<Item>> items = new ArrayList<>();
    private final Map<String, CardBuilder> cards = new LinkedHashMap<>();
    private TurnBuilder turn; // the last one; null before the first
    private long lastSeq;

    /** Takes the next record. */
    public void take(TapeRecord record) {
        lastSeq = record.seq();
        if (record.payload() == null) {
            if (!record.type().equals(TOKEN) && !record.type().equals(THOUGHT)) {
                remark(record, "Its content was erased; its place and hash remain.");
            }
            return;
        }
        TapeEvent event;
        try {
            event = TapeCodec.event(record);
        } catch (PalyraException | IllegalArgumentException e) {
            remark(record, "Its content cannot be read; the tape's verification says more.");
            return;
        }
        take(record, event);
    }

    private void take(TapeRecord record, TapeEvent event) {
        long seq = record.seq();
        long time = record.timeMillis();
        switch (event) {
            case TapeEvent.Message message -> said(seq, time, message);
            case TapeEvent.TurnStarted started -> begin(seq, time, started);
            case TapeEvent.ModelToken token -> turn(seq, time, token.turn()).text(token);
            case TapeEvent.ModelThought thought -> turn(seq, time, thought.turn()).thought(thought);
            case TapeEvent.TurnRestarted again -> turn(seq, time, again.turn()).restart(again);
            case TapeEvent.TurnFinished done -> turn(seq, time, done.turn()).finish(done);
            case TapeEvent.ExternalEvent note -> {
                Item item =
                        new Item.Note(seq, time, note.kind(), note.principal(), note.contentJson());
                items.add(() -> item);
            }
            case TapeEvent.Unknown unknown ->
                    remark(record, "It is of a newer form than this version reads.");
            case TapeEvent.RunStateChanged state -> {} // the run itself says it
            default -> {
                CardBuilder card = card(callOf(event));
                card.take(seq, time, record.type(), event);
            }
        }
    }

    private static String callOf(TapeEvent event) {
        return switch (event) {
            case ToolCallProposal e -> e.callId();
            case ToolDecision e -> e.callId();
            case ApprovalRequest e -> e.callId();
            case ApprovalVoted e -> e.callId();
            case ApprovalDecision e -> e.callId();
            case ToolStarted e -> e.callId();
            case ToolCallOutput e -> e.callId();
            case ToolAttestation e -> e.callId();
            default -> "";
        };
    }

    private CardBuilder card(String callId) {
        return cards.computeIfAbsent(
                callId,
                id -> {
                    CardBuilder card = new CardBuilder(id);
                    items.add(() -> new Item.Call(card.card()));
                    return card;
                });
    }

    /** The final answer is the text of the last turn; it is shown once. */
    private void said(long seq, long time, TapeEvent.Message message) {
        boolean agent = message.role() == TapeEvent.Role.AGENT;
        if (agent && turn != null && turn.says(message.text())) {
            return;
        }
        String speaker =
                switch (message.role()) {
                    case USER -> message.principal();
                    case AGENT -> "agent";
                    case SYSTEM -> "system";
                };
        Item item =
                new Item.Said(
                        seq,
                        time,
                        speaker,
                        message.surface(),
                        message.role() == TapeEvent.Role.USER,
                        message.text());
        items.add(() -> item);
    }

    private void begin(long seq, long time, TapeEvent.TurnStarted started) {
        turn(seq, time, started.turn()).begin(started);
    }

    private TurnBuilder turn(long seq, long time, int number) {
        if (turn == null || turn.number() != number) {
            TurnBuilder next = new TurnBuilder(seq, time, number);
            items.add(next::item);
            turn = next;
        }
        return turn;
    }

    private void remark(TapeRecord record, String sentence) {
        Item item = new Item.Remark(record.seq(), record.timeMillis(), record.type(), sentence);
        items.add(() -> item);
    }

    /** Returns the story so far. */
    public List<Item> items() {
        return items.stream().map(Supplier::get).toList();
    }

    /** Returns the last turn whose whole text is known; 0 for none. */
    public int finishedTurn() {
        if (turn == null) {
            return 0;
        }
        return turn.isFinished() ? turn.number() : turn.number() - 1;
    }

    /** Returns the last record that was taken; 0 for none. */
    public long lastSeq() {
        return lastSeq;
    }
}
