package palyra.transport.grpc.internal.service;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/** Selects the records of one tool call from a tape. Pure functions. */
final class CallRecords {
    private CallRecords() {}

    /** A record that cannot be read is about no call that could be named. */
    static boolean isOf(String callId, TapeRecord record) {
        try {
            return callId.equals(callOf(TapeCodec.event(record)));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return false;
        }
    }

    private static String callOf(TapeEvent event) {
        return switch (event) {
            case TapeEvent.ToolCallProposal each -> each.callId();
            case TapeEvent.ToolDecision each -> each.callId();
            case TapeEvent.ApprovalRequest each -> each.callId();
            case TapeEvent.ApprovalVoted each -> each.callId();
            case TapeEvent.ApprovalDecision each -> each.callId();
            case TapeEvent.ToolStarted each -> each.callId();
            case TapeEvent.ToolCallOutput each -> each.callId();
            case TapeEvent.ToolAttestation each -> each.callId();
            default -> "";
        };
    }
}
