package palyra.shell.internal.commands;

import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolDecision;

/** Says in one line what a record of a tape is about. */
public final class TapeLine {
    private static final int BRIEF = 160;

    private TapeLine() {}

    /**
     * Returns the line. A line about a call begins with what its id has after the run's, such as
     * {@code .1.0}.
     */
    public static String of(TapeEvent event) {
        String callId = callId(event);
        int dot = callId.indexOf('.');
        return (dot < 0 ? "" : callId.substring(dot) + " ") + content(event);
    }

    private static String callId(TapeEvent event) {
        return switch (event) {
            case TapeEvent.ToolCallProposal e -> e.callId();
            case ToolDecision e -> e.callId();
            case TapeEvent.ApprovalRequest e -> e.callId();
            case TapeEvent.ToolStarted e -> e.callId();
            case ToolCallOutput e -> e.callId();
            case TapeEvent.ToolAttestation e -> e.callId();
            default -> "";
        };
    }

    private static String content(TapeEvent event) {
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
            case ToolDecision e -> decision(e);
            case TapeEvent.ApprovalRequest e -> request(e);
            case TapeEvent.ApprovalVoted e ->
                    e.principal() + " said yes, " + e.votes() + " of " + e.quorum();
            case TapeEvent.ApprovalDecision e -> approval(e);
            case TapeEvent.ToolStarted e ->
                    e.tool() + attempt(e.attempt()) + " started" + grant(e.grantId());
            case ToolCallOutput e -> output(e);
            case TapeEvent.ToolAttestation e ->
                    e.executor() + ", " + e.sandboxEnforcement() + ", signed by " + e.keyId();
            case TapeEvent.RunStateChanged e -> state(e);
            case TapeEvent.ExternalEvent e ->
                    e.kind()
                            + " of "
                            + e.principal()
                            + (e.actor().isEmpty() ? "" : " (" + e.actor() + ")")
                            + ": "
                            + brief(e.contentJson());
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

    private static String grant(String grantId) {
        return grantId.isEmpty() ? "" : " under grant " + grantId;
    }

    private static String decision(ToolDecision e) {
        return e.tool()
                + " "
                + e.verdict()
                + grant(e.grantId())
                + (e.approvedBy().isEmpty() ? "" : " of " + String.join(", ", e.approvedBy()))
                + ": "
                + brief(e.reason());
    }

    private static String request(TapeEvent.ApprovalRequest e) {
        return "approval "
                + e.approvalId()
                + " asked"
                + (e.quorum() > 1 ? " of " + e.quorum() + " people" : "")
                + ", until "
                + Words.time(e.expiresAtMillis());
    }

    private static String approval(TapeEvent.ApprovalDecision e) {
        if (!e.granted()) {
            return e.decidedBy().isEmpty()
                    ? "refused: no answer in time"
                    : "refused by " + e.decidedBy() + suffix(e.reason());
        }
        return "granted by "
                + e.decidedBy()
                + ", "
                + e.scope()
                + (e.shape().isEmpty() ? "" : " " + e.shape())
                + grant(e.grantId()).replace(" under", ", makes")
                + suffix(e.reason());
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
