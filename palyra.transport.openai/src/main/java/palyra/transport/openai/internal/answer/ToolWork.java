package palyra.transport.openai.internal.answer;

import java.util.Optional;
import palyra.api.tape.TapeEvent;
import palyra.shared.text.EscapedText;

/** Says in a line what a record about a tool call means. Pure functions. */
final class ToolWork {
    private static final int MOST = 1_000;

    private ToolWork() {}

    /** Returns the line; empty for records that say nothing to a reader. */
    static Optional<String> line(TapeEvent event) {
        return switch (event) {
            case TapeEvent.ToolCallProposal proposal ->
                    Optional.of(
                            "Tool "
                                    + proposal.tool()
                                    + " is proposed: "
                                    + cut(proposal.inputJson()));
            case TapeEvent.ToolDecision decision -> decision(decision);
            case TapeEvent.ToolStarted started ->
                    Optional.of("Tool " + started.tool() + " started.");
            case TapeEvent.ToolCallOutput output ->
                    Optional.of(
                            output.outcome() == TapeEvent.Outcome.SUCCEEDED
                                    ? "Output: " + cut(output.outputJson())
                                    : "The call ended as "
                                            + output.outcome()
                                            + ": "
                                            + cut(output.error()));
            default -> Optional.empty();
        };
    }

    private static Optional<String> decision(TapeEvent.ToolDecision decision) {
        return switch (decision.verdict()) {
            case ALLOW -> Optional.of("Allowed.");
            case DENY -> Optional.of("Denied: " + cut(decision.reason()));
            case APPROVAL_REQUIRED -> Optional.empty(); // the request for it follows
        };
    }

    /** Returns the line about a request for an approval. */
    static String approval(TapeEvent.ApprovalRequest request) {
        return "Waiting for an approval ("
                + request.approvalId()
                + "). An approver answers it elsewhere, such as with: palyra approvals decide "
                + request.approvalId();
    }

    /** Returns the line about an answer. */
    static String answer(TapeEvent.ApprovalDecision answer) {
        return (answer.granted() ? "Approved by " : "Denied by ")
                + answer.decidedBy()
                + (answer.reason().isEmpty() ? "." : ": " + cut(answer.reason()));
    }

    static String cut(String text) {
        String line = EscapedText.line(text.length() <= MOST ? text : text.substring(0, MOST));
        return text.length() <= MOST ? line : line + "…";
    }
}
