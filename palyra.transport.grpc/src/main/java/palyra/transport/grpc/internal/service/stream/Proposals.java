package palyra.transport.grpc.internal.service.stream;

import java.util.List;
import java.util.Optional;
import palyra.api.access.Principal;
import palyra.api.run.Runs;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;
import palyra.transport.grpc.internal.service.GateCalls;

/** Finds the proposal of a call that needs approval. */
interface Proposals {
    /** Returns the proposal of a call from before {@code seq}; empty when not found. */
    Optional<TapeEvent.ToolCallProposal> of(String callId, long seq);

    /** Returns proposals as they are on the tape, read again for each question. Thread-safe. */
    static Proposals onTape(Gate<Runs> runs, Principal principal, String runId) {
        return (callId, seq) -> find(runs, principal, runId, callId, seq);
    }

    private static Optional<TapeEvent.ToolCallProposal> find(
            Gate<Runs> runs, Principal principal, String runId, String callId, long seq) {
        int limit = 256;
        long after = 0;
        List<TapeRecord> page;
        do {
            long from = after;
            page = GateCalls.call(runs, front -> front.tape(principal, runId, from, limit));
            for (TapeRecord record : page) {
                after = record.seq();
                if (after < seq
                        && TapeCodec.event(record) instanceof TapeEvent.ToolCallProposal proposal
                        && proposal.callId().equals(callId)) {
                    return Optional.of(proposal);
                }
            }
        } while (!page.isEmpty() && after < seq);
        return Optional.empty();
    }
}
