package palyra.shell.internal.evidence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.PublishedKey;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;

/**
 * The calls of one run, gathered from its records while these are verified. Not thread-safe.
 *
 * <p>Memory: all records about calls, or about one call when only that is wanted.
 */
final class RunEvidence implements Consumer<TapeRecord> {
    private final String onlyCall;
    private final Map<String, CallHistory> calls = new LinkedHashMap<>();
    private String agentId = "";
    private int budgetLeft;
    private RunState state;
    private long withheld;
    private long unknown;

    /**
     * Begins.
     *
     * @param onlyCall call that is wanted; empty for all
     */
    RunEvidence(String onlyCall) {
        this.onlyCall = onlyCall;
    }

    @Override
    public void accept(TapeRecord record) {
        if (record.payload() == null) {
            withheld += TapeCodec.isErasedStream(record) ? 0 : 1; // its text comes again, whole
            return;
        }
        TapeEvent event = TapeCodec.event(record);
        switch (event) {
            case TapeEvent.RunStateChanged changed -> state = changed.state();
            case TapeEvent.TurnStarted turn -> {
                agentId = turn.agentId();
                if (calls.isEmpty()) {
                    budgetLeft = turn.toolBudgetLeft();
                }
            }
            case TapeEvent.Unknown e -> unknown++;
            default -> CallHistory.callOf(event).ifPresent(call -> take(call, record, event));
        }
    }

    private void take(String callId, TapeRecord record, TapeEvent event) {
        if (onlyCall.isEmpty() || onlyCall.equals(callId)) {
            calls.computeIfAbsent(callId, CallHistory::new).add(record, event);
        }
    }

    /** Returns the calls in the order of their first records. */
    List<CallHistory> calls() {
        return List.copyOf(calls.values());
    }

    /** Returns how many records have no payload any more, pieces of streamed text left out. */
    long withheld() {
        return withheld;
    }

    /** Returns the agent that the run belongs to; empty before its first turn. */
    String agentId() {
        return agentId;
    }

    /** Returns how many calls the run might still make when the call's turn began. */
    int budgetLeft() {
        return budgetLeft;
    }

    /** Returns the state by the last state record; null without one. */
    RunState state() {
        return state;
    }

    /** Returns how many records have another form than this reader knows. */
    long unknown() {
        return unknown;
    }

    /** Returns the faults of the calls. */
    List<AttestationCheck.Finding> findings(List<PublishedKey> published) {
        AttestationKeys keys = new AttestationKeys(published);
        List<AttestationCheck.Finding> findings = new ArrayList<>();
        calls.values().forEach(call -> findings.addAll(AttestationCheck.of(call, keys, erased())));
        return findings;
    }

    private boolean erased() {
        return withheld > 0 || unknown > 0;
    }

    /** Returns how many calls there is a statement about. */
    long attested() {
        return calls.values().stream()
                .filter(call -> call.first(TapeEvent.ToolAttestation.class).isPresent())
                .count();
    }

    /** Returns the keys that signed statements, sorted. */
    SortedSet<String> signers() {
        SortedSet<String> signers = new TreeSet<>();
        for (CallHistory call : calls.values()) {
            call.of(TapeEvent.ToolAttestation.class)
                    .forEach(each -> signers.add(each.event().keyId()));
        }
        return signers;
    }

    /**
     * What was read, and whether it can be believed.
     *
     * @param report what the chain and the signed head say
     * @param sealKeyId key that signed the head; empty when the run has not ended
     * @param keys keys to verify by
     */
    record Read(
            String runId,
            RunEvidence evidence,
            VerificationReport report,
            String sealKeyId,
            List<PublishedKey> keys) {}
}
