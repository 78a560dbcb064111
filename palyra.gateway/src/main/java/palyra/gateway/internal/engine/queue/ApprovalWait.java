package palyra.gateway.internal.engine.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.fold.Step;
import palyra.gateway.internal.seam.Services;
import palyra.shared.approval.ApproverText;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.fold.Call;
import palyra.shared.gate.Gate;

/**
 * How a run begins and ends its wait for approvals. The journal marks a run whose approval request
 * was decided; the mark wakes it, now or after a restart. It may be cleared only while every
 * request that the run waits for is known to be open: an answer that arrives between a look at the
 * tape and the move to waiting keeps its mark.
 */
final class ApprovalWait {
    private static final int MOST_NAMED = 3;
    private static final String LOST =
            "The journal lost the approval request, so the call is denied.";
    private static final Logger LOG = LoggerFactory.getLogger(ApprovalWait.class);
    private static final Set<RunState> RUNNING = EnumSet.of(RunState.RUNNING);
    private static final Set<RunState> WAITING = EnumSet.of(RunState.AWAITING_APPROVAL);

    private final RunContext run;
    private final RunLog log;
    private final Gate<Journal> journal;

    ApprovalWait(RunContext run, RunLog log, Services services) {
        this.run = run;
        this.log = log;
        this.journal = services.journal();
    }

    /** Records that the run waits, unless an answer has arrived by now. */
    void begin() {
        log.catchUp();
        if (!(log.history().next() instanceof Step.AwaitPeople)) {
            return;
        }
        if (refuseLost()) {
            return;
        }
        String why = reason();
        List<TapeEvent> events =
                List.of(new TapeEvent.RunStateChanged(RunState.AWAITING_APPROVAL, null, why));
        Operation unmark = move(RUNNING, RunState.RUNNING, why);
        Operation wait = move(RUNNING, RunState.AWAITING_APPROVAL, why);
        if (!commitIfOpen(events, List.of(unmark, wait))) {
            log.commit(events, List.of(wait));
        }
    }

    /** Says on the tape that the run goes on. */
    void end() {
        log.commit(
                List.of(new TapeEvent.RunStateChanged(RunState.RUNNING, null, "")),
                List.of(move(WAITING, RunState.RUNNING, "")));
    }

    /** Takes off a mark that was left by an answer which the run knows already. */
    void unmark() {
        if (refuseLost()) {
            return;
        }
        String why = reason();
        commitIfOpen(
                List.of(),
                List.of(
                        move(WAITING, RunState.RUNNING, why),
                        move(RUNNING, RunState.AWAITING_APPROVAL, why)));
    }

    /**
     * Records a no for each question whose row is lost, because no person can answer it any more.
     *
     * @return whether there was one
     */
    private boolean refuseLost() {
        List<TapeEvent> lost = new ArrayList<>();
        for (Call call : log.history().waitingCalls()) {
            String id = call.asking().approvalId();
            if (!id.isEmpty() && journal.call(j -> j.approval(id)).isEmpty()) {
                LOG.error(
                        "The journal lost approval {} of run {}: its call is denied.",
                        id,
                        run.runId());
                lost.add(
                        new TapeEvent.ApprovalDecision(
                                id, call.callId(), false, "", "", LOST, "", "", List.of()));
            }
        }
        if (!lost.isEmpty()) {
            log.commit(lost, List.of());
        }
        return !lost.isEmpty();
    }

    private Operation move(Set<RunState> from, RunState to, String reason) {
        return new Operation.MoveRun(run.runId(), from, to, reason);
    }

    private String reason() {
        List<Call> calls = log.history().waitingCalls();
        return calls.size() == 1
                ? "waiting for a person to approve " + question(calls.get(0))
                : "waiting for people to approve "
                        + calls.size()
                        + " calls: "
                        + calls.stream()
                                .limit(MOST_NAMED)
                                .map(this::question)
                                .collect(Collectors.joining(", "))
                        + (calls.size() > MOST_NAMED ? ", …" : "");
    }

    /**
     * Returns a question with its id and, as far as it can be read, until when it is open and who
     * may answer it.
     */
    private String question(Call call) {
        String id = call.asking().approvalId();
        String tool = call.proposal().tool();
        if (id.isEmpty()) {
            return tool;
        }
        return tool
                + " (approval "
                + id
                + journal.call(j -> j.approval(id)).map(ApprovalWait::open).orElse("")
                + ")";
    }

    private static String open(ApprovalRow row) {
        return ", open until " + Instant.ofEpochMilli(row.expiresAtMillis()) + who(row);
    }

    private static String who(ApprovalRow row) {
        return StoredApprovalRequest.of(row)
                .question()
                .map(question -> ApproverText.words(question.terms(), System.currentTimeMillis()))
                .map(words -> ", for " + words + " to answer")
                .orElse("");
    }

    /** Returns false, having written nothing, unless every question that is waited for is open. */
    private boolean commitIfOpen(List<TapeEvent> events, List<Operation> operations) {
        List<Precondition> open = new ArrayList<>();
        for (Call call : log.history().waitingCalls()) {
            String id = call.asking().approvalId();
            Optional<ApprovalRow> row =
                    id.isEmpty() ? Optional.empty() : journal.call(j -> j.approval(id));
            if (row.isEmpty()) {
                return false;
            }
            open.add(new Precondition.ApprovalOpen(id, row.get().votes()));
        }
        try {
            log.commit(open, events, operations);
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            LOG.debug("Run {}: {}", run.runId(), e.getMessage());
            return false;
        }
    }
}
