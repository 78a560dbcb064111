package palyra.gateway.internal.engine.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.gateway.internal.approval.ApprovalRequestFactory;
import palyra.gateway.internal.approval.CoveringGrant;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.fold.Call;
import palyra.shared.hash.Digests;
import palyra.shared.tool.DecisionRecord;

/**
 * The records that become durable together when calls are decided: decisions, approval requests,
 * the outputs of refused calls, and the start of the first allowed ones with the use of their
 * grants. Used by one worker.
 */
public final class DecisionUnit {
    /** Collection of policy snapshots, keyed by their own digest. */
    public static final String SNAPSHOTS = "policy_snapshot";

    private final Set<String> knownSnapshots;
    private final List<TapeEvent> events = new ArrayList<>();
    private final Map<String, Operation> snapshots = new LinkedHashMap<>();
    private final List<Operation> operations = new ArrayList<>();
    private final List<String> usedGrants = new ArrayList<>();
    private int questions;

    DecisionUnit(Set<String> knownSnapshots) {
        this.knownSnapshots = knownSnapshots;
    }

    void add(Call call, CallDecision decided) {
        ToolPolicyDecision answer = decided.answer();
        byte[] snapshot = answer.snapshotJson().getBytes(StandardCharsets.UTF_8);
        String digest = Digests.sha256Hex(snapshot);
        if (!knownSnapshots.contains(digest)) {
            snapshots.put(digest, new Operation.PutDocument(SNAPSHOTS, digest, snapshot));
        }
        events.add(
                DecisionRecord.of(
                        call.callId(),
                        call.proposal().tool(),
                        answer,
                        digest,
                        decided.factsSha256(),
                        decided.cover().map(CoveringGrant::grantId).orElse(""),
                        decided.cover().map(CoveringGrant::approvedBy).orElse(List.of())));
        if (answer.verdict() == Verdict.DENY) {
            events.add(refused(call, answer.reason()));
        }
        decided.question()
                .ifPresent(
                        question -> {
                            events.add(ApprovalRequestFactory.event(question));
                            operations.add(
                                    new Operation.PutApproval(
                                            ApprovalRequestFactory.row(
                                                    question, decided.reminderMillis())));
                            questions++;
                        });
    }

    /** Returns the output that the model gets for a call that never starts. */
    static TapeEvent.ToolCallOutput refused(Call call, String why) {
        return new TapeEvent.ToolCallOutput(
                call.callId(), 0, call.proposal().tool(), Outcome.DENIED, "{}", why);
    }

    /** Returns the history as it would be with this unit. */
    RunHistory after(RunHistory history) {
        RunHistory ahead = history.fork();
        long seq = ahead.seq();
        for (TapeEvent event : events) {
            ahead.apply(++seq, 0, event);
        }
        return ahead;
    }

    /** Starts calls, as {@link #after} knows them; one under a grant uses it. */
    void start(List<Call> group) {
        for (Call call : group) {
            events.add(startOf(call, 1));
            if (call.underGrant()) {
                String grant = call.decision().grantId();
                operations.add(new Operation.UseGrant(grant, call.callId(), 1));
                usedGrants.add(grant);
            }
        }
    }

    /** Returns the record of a start. */
    static TapeEvent.ToolStarted startOf(Call call, int attempt) {
        return new TapeEvent.ToolStarted(
                call.callId(),
                attempt,
                call.proposal().tool(),
                Digests.sha256Hex(call.proposal().inputJson()),
                call.underGrant() ? call.decision().grantId() : "");
    }

    List<TapeEvent> events() {
        return events;
    }

    List<Operation> operations() {
        List<Operation> all = new ArrayList<>(snapshots.values());
        all.addAll(operations);
        return all;
    }

    Set<String> snapshots() {
        return snapshots.keySet();
    }

    List<String> usedGrants() {
        return usedGrants;
    }

    int questions() {
        return questions;
    }
}
