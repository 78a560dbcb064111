package palyra.front.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.api.core.access.Access;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;

/**
 * Questions to people, without any framework. Thread-safe: the journal decides between two answers,
 * and by its own clock whether one is too late.
 */
public final class ApprovalFront implements Approvals {
    private static final int PAGE = 500;

    private final Ownership ownership;
    private final Gate<Journal> journal;
    private final LongSupplier clock;

    /** Creates a front; {@code access} is called directly, {@code clock} is unix milliseconds. */
    public ApprovalFront(Access access, Gate<Journal> journal, LongSupplier clock) {
        this.ownership = new Ownership(access);
        this.journal = journal;
        this.clock = clock;
    }

    @Override
    public ApprovalView decide(Principal principal, ApprovalAnswer answer) {
        String id = Require.present(answer, "answer").approvalId();
        Optional<ApprovalRow> row = row(id);
        Authorized authorized =
                ownership.change(principal, "approval.decide", thing(id, row), facts(row, answer));
        ApprovalRow question = row.orElseThrow();
        requireOpen(question);
        try {
            Unit unit = unit(question, principal, answer, authorized);
            journal.run(present -> present.commit(unit));
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                row(id).ifPresent(this::requireOpen); // says how it was answered meanwhile
            }
            throw e;
        }
        return view(row(id).orElse(question));
    }

    private static Map<String, String> facts(Optional<ApprovalRow> row, ApprovalAnswer answer) {
        Map<String, String> facts = new HashMap<>();
        facts.put("granted", Boolean.toString(answer.granted()));
        facts.put("scope", scope(answer));
        row.ifPresent(question -> facts.put("runId", question.runId()));
        row.ifPresent(question -> facts.put("callId", question.callId()));
        return facts;
    }

    /**
     * How far a yes reaches, as on the tape: {@code once}, {@code session}, {@code timeboxed:ms}.
     */
    private static String scope(ApprovalAnswer answer) {
        if (!answer.granted()) {
            return "";
        }
        String scope = answer.scope().name().toLowerCase(Locale.ROOT);
        return answer.scope() == ApprovalScope.TIMEBOXED ? scope + ":" + answer.ttlMillis() : scope;
    }

    private static Unit unit(
            ApprovalRow question,
            Principal principal,
            ApprovalAnswer answer,
            Authorized authorized) {
        ApprovalRow.State state =
                answer.granted() ? ApprovalRow.State.GRANTED : ApprovalRow.State.DENIED;
        TapeEvent event =
                new TapeEvent.ApprovalDecision(
                        question.approvalId(),
                        question.callId(),
                        answer.granted(),
                        scope(answer),
                        principal.id(),
                        answer.reason());
        return Unit.of(
                new Operation.DecideApproval(question.approvalId(), state, principal.id()),
                TapeCodec.append(question.runId(), event),
                authorized.record());
    }

    /** Throws CONFLICT, saying what became of it, unless an answer is still taken. */
    private void requireOpen(ApprovalRow question) {
        String what =
                switch (ApprovalViews.state(question, clock.getAsLong())) {
                    case PENDING -> "";
                    case GRANTED -> "was granted by " + question.decidedBy() + at(question);
                    case DENIED -> "was denied by " + question.decidedBy() + at(question);
                    case EXPIRED ->
                            "expired at "
                                    + Instant.ofEpochMilli(question.expiresAtMillis())
                                    + " without an answer, which means no";
                    case WITHDRAWN -> "was withdrawn, because its run ended first";
                };
        if (!what.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Approval "
                            + question.approvalId()
                            + " takes no answer any more: it "
                            + what
                            + ".");
        }
    }

    private static String at(ApprovalRow question) {
        return " at " + Instant.ofEpochMilli(question.decidedAtMillis());
    }

    @Override
    public Optional<ApprovalView> approval(Principal principal, String approvalId) {
        Optional<ApprovalRow> row = row(approvalId);
        return ownership.readable(principal, "approval.read", thing(approvalId, row))
                ? row.map(this::view)
                : Optional.empty();
    }

    @Override
    public List<ApprovalView> pending(
            Principal principal, String runId, String afterApprovalId, int limit) {
        Pages.requireLimit(limit, Pages.MOST);
        String run = Pages.idOrEmpty(runId, "run id");
        String after = Pages.idOrEmpty(afterApprovalId, "approval id");
        if (run.isEmpty()) {
            String owner = ownership.listOwner(principal, "approval.list", "operator", "approver");
            return open(run, after, limit, owner);
        }
        Ownership.Thing thing = new Ownership.Thing("run", run, ownerOf(run));
        ownership.read(principal, "approval.list", thing);
        return open(run, after, limit, "");
    }

    private List<ApprovalView> open(String runId, String afterId, int limit, String owner) {
        Map<String, String> owners = new HashMap<>();
        List<ApprovalView> found = new ArrayList<>();
        String after = afterId;
        List<ApprovalRow> page;
        do {
            String from = after;
            page =
                    journal.call(
                            present ->
                                    present.approvalsIn(
                                            ApprovalRow.State.PENDING, runId, from, PAGE));
            for (ApprovalRow row : page) {
                after = row.approvalId();
                if (found.size() < limit && isOpen(row) && belongsTo(owner, row, owners)) {
                    found.add(view(row));
                }
            }
        } while (page.size() == PAGE && found.size() < limit);
        return List.copyOf(found);
    }

    private boolean isOpen(ApprovalRow row) {
        return row.expiresAtMillis() > clock.getAsLong();
    }

    /** An empty owner is everybody. */
    private boolean belongsTo(String owner, ApprovalRow row, Map<String, String> owners) {
        return owner.isEmpty()
                || owners.computeIfAbsent(row.runId(), run -> ownerOf(run).orElse(""))
                        .equals(owner);
    }

    private Optional<ApprovalRow> row(String approvalId) {
        Ulids.require(approvalId, "approval id");
        return journal.call(present -> present.approval(approvalId));
    }

    private Ownership.Thing thing(String approvalId, Optional<ApprovalRow> row) {
        return new Ownership.Thing(
                "approval", approvalId, row.flatMap(question -> ownerOf(question.runId())));
    }

    private Optional<String> ownerOf(String runId) {
        return journal.call(present -> present.run(runId)).map(RunRow::principal);
    }

    private ApprovalView view(ApprovalRow row) {
        return ApprovalViews.view(row, clock.getAsLong());
    }
}
