package palyra.shell.internal.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;
import palyra.shared.tape.Attestations;
import palyra.shared.tape.TapeCodec;

/**
 * Everything that a tape says about one call, in its order. Only records that the engine and the
 * approvals write are taken: an external event can say nothing about a call. Not thread-safe.
 */
final class CallHistory {
    /**
     * One record about the call.
     *
     * @param timeMillis unix time in milliseconds at which the store took it
     */
    record At<E extends TapeEvent>(long seq, long timeMillis, E event) {}

    private final String callId;
    private final List<At<TapeEvent>> all = new ArrayList<>();
    private boolean sealedProposal;

    CallHistory(String callId) {
        this.callId = callId;
    }

    String callId() {
        return callId;
    }

    /** Returns the call that an event is about; empty when it is about none. */
    static Optional<String> callOf(TapeEvent event) {
        return switch (event) {
            case TapeEvent.ToolCallProposal e -> Optional.of(e.callId());
            case TapeEvent.ToolDecision e -> Optional.of(e.callId());
            case TapeEvent.ApprovalRequest e -> Optional.of(e.callId());
            case TapeEvent.ApprovalVoted e -> Optional.of(e.callId());
            case TapeEvent.ApprovalDecision e -> Optional.of(e.callId());
            case TapeEvent.ToolStarted e -> Optional.of(e.callId());
            case TapeEvent.ToolCallOutput e -> Optional.of(e.callId());
            case TapeEvent.ToolAttestation e -> Optional.of(e.callId());
            case TapeEvent.Message e -> Optional.empty();
            case TapeEvent.TurnStarted e -> Optional.empty();
            case TapeEvent.ModelToken e -> Optional.empty();
            case TapeEvent.ModelThought e -> Optional.empty();
            case TapeEvent.TurnRestarted e -> Optional.empty();
            case TapeEvent.TurnFinished e -> Optional.empty();
            case TapeEvent.RunStateChanged e -> Optional.empty();
            case TapeEvent.ExternalEvent e -> Optional.empty();
            case TapeEvent.Unknown e -> Optional.empty();
        };
    }

    /** Takes a record that is about this call. */
    void add(TapeRecord record, TapeEvent event) {
        all.add(new At<>(record.seq(), record.timeMillis(), event));
        sealedProposal |=
                event instanceof TapeEvent.ToolCallProposal && TapeCodec.sealed(record).isPresent();
    }

    /**
     * Returns whether the tape keeps the exact input of the call sealed: the started input had
     * another digest than the readable one.
     */
    boolean withholdsInput(TapeEvent.ToolCallProposal proposal) {
        String digest = Digests.sha256Hex(proposal.inputJson());
        return sealedProposal
                && last(TapeEvent.ToolStarted.class)
                        .filter(start -> !start.event().inputSha256().equals(digest))
                        .isPresent();
    }

    /** Returns the proposal as it is attested to: an input that is sealed by its digest. */
    TapeEvent.ToolCallProposal attested(TapeEvent.ToolCallProposal proposal) {
        return withholdsInput(proposal)
                ? Attestations.withheld(
                        proposal,
                        last(TapeEvent.ToolStarted.class).orElseThrow().event().inputSha256())
                : proposal;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<At<TapeEvent>> all() {
        return List.copyOf(all);
    }

    /** Returns the records of one kind. */
    <E extends TapeEvent> List<At<E>> of(Class<E> type) {
        List<At<E>> found = new ArrayList<>();
        for (At<TapeEvent> each : all) {
            if (type.isInstance(each.event())) {
                found.add(new At<>(each.seq(), each.timeMillis(), type.cast(each.event())));
            }
        }
        return found;
    }

    /** Returns the first record of a kind. */
    <E extends TapeEvent> Optional<At<E>> first(Class<E> type) {
        return of(type).stream().findFirst();
    }

    /** Returns the last record of a kind. */
    <E extends TapeEvent> Optional<At<E>> last(Class<E> type) {
        List<At<E>> found = of(type);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1));
    }

    /** Returns the last record of a kind before another. */
    <E extends TapeEvent> Optional<At<E>> lastBefore(Class<E> type, long seq) {
        return of(type).stream().filter(each -> each.seq() < seq).reduce((a, b) -> b);
    }
}
