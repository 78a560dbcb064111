package palyra.shell.internal.commands;

import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolDecision;

/** Says in one line what a record of a tape is about. */
final class TapeLine {
    private static final int BRIEF = 160;

    private TapeLine() {}

    static String of(TapeEvent event) {
        return switch (event) {
            case TapeEvent.Message e -> e.role() + " " + e.principal() + ": " + brief(e.text());
            case TapeEvent.TurnStarted e ->
                    "turn " + e.turn() + attempt(e.attempt()) + " asks " + model(e);
            case TapeEvent.ModelToken e -> brief(e.text());
            case TapeEvent.ModelThought e -> brief(e.text());
            case TapeEvent.TurnRestarted e ->
                    "turn " + e.turn() + " begins again: " + brief(e.reason());
            case TapeEvent.TurnFinished e ->
                    "turn "
                            + e.turn()
                            + " "
                            + e.finishReason()
                            + ", "
                            + e.proposals().size()
                            + " calls: "
                            + brief(e.text());
            case TapeEvent.ToolCallProposal e -> e.tool() + " " + brief(e.inputJson());
            case ToolDecision e -> e.tool() + " " + e.verdict() + ": " + brief(e.reason());
            case TapeEvent.ApprovalRequest e -> "approval " + e.approvalId() + " asked";
            case TapeEvent.ApprovalDecision e -> approval(e);
            case TapeEvent.ToolStarted e -> e.tool() + attempt(e.attempt()) + " started";
            case ToolCallOutput e -> output(e);
            case TapeEvent.ToolAttestation e ->
                    e.executor() + ", " + e.sandboxEnforcement() + ", signed by " + e.keyId();
            case TapeEvent.RunStateChanged e -> state(e);
            case TapeEvent.ExternalEvent e ->
                    e.kind() + " of " + e.principal() + ": " + brief(e.contentJson());
            case TapeEvent.Unknown e ->
                    "not readable here: type " + e.type() + ", schema " + e.schema();
        };
    }

    private static String model(TapeEvent.TurnStarted e) {
        return e.model().isEmpty() ? e.provider() : e.provider() + "/" + e.model();
    }

    private static String attempt(int attempt) {
        return attempt > 1 ? " (attempt " + attempt + ")" : "";
    }

    private static String approval(TapeEvent.ApprovalDecision e) {
        String who = e.decidedBy().isEmpty() ? "nobody in time" : e.decidedBy();
        return (e.granted() ? "granted by " : "refused by ") + who + suffix(e.reason());
    }

    private static String output(ToolCallOutput e) {
        String detail = e.error().isEmpty() ? e.outputJson() : e.error();
        return e.tool() + " " + e.outcome() + suffix(detail);
    }

    private static String state(TapeEvent.RunStateChanged e) {
        return e.state() + (e.code() == null ? "" : " " + e.code()) + suffix(e.reason());
    }

    private static String suffix(String text) {
        return text.isEmpty() ? "" : ": " + brief(text);
    }

    private static String brief(String text) {
        return Words.brief(text, BRIEF);
    }
}
