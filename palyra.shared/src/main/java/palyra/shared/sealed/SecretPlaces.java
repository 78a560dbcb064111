package palyra.shared.sealed;

import palyra.api.tape.TapeEvent;

/** The place of a record: what distinguishes it from others of its type in its run. Pure. */
final class SecretPlaces {
    private SecretPlaces() {}

    /** Returns the place that a sealed part is bound to. */
    static String of(TapeEvent event) {
        return switch (event) {
            case TapeEvent.Message e -> e.messageId();
            case TapeEvent.TurnStarted e -> e.turn() + "/" + e.attempt();
            case TapeEvent.ModelToken e -> e.turn() + "/" + e.attempt();
            case TapeEvent.ModelThought e -> e.turn() + "/" + e.attempt();
            case TapeEvent.TurnRestarted e -> e.turn() + "/" + e.attempt();
            case TapeEvent.TurnFinished e -> e.turn() + "/" + e.attempt();
            case TapeEvent.ToolCallProposal e -> e.callId();
            case TapeEvent.ToolDecision e -> e.callId();
            case TapeEvent.ApprovalRequest e -> e.approvalId();
            case TapeEvent.ApprovalVoted e -> e.approvalId() + "/" + e.votes();
            case TapeEvent.ApprovalDecision e -> e.approvalId();
            case TapeEvent.ToolStarted e -> e.callId() + "/" + e.attempt();
            case TapeEvent.ToolCallOutput e -> e.callId() + "/" + e.attempt();
            case TapeEvent.ToolAttestation e -> e.attestationId();
            case TapeEvent.RunStateChanged e -> e.state().name();
            case TapeEvent.ExternalEvent e -> e.eventId();
            case TapeEvent.Unknown e -> "";
        };
    }
}
