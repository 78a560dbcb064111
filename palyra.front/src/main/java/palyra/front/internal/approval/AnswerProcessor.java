package palyra.front.internal.approval;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.front.internal.OwnershipCheck;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.approval.Vote;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.outcome.Commits;

/**
 * Takes answers. The journal decides between two of them, and by its own clock whether one is too
 * late: what was read before only says what to try, and is read again when it was out of date.
 * Thread-safe.
 */
final class AnswerProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerProcessor.class);

    /**
     * More than any approval request can have votes: each try that fails saw another's vote
     * succeed.
     */
    private static final int TRIES = 64;

    private final OwnershipCheck ownership;
    private final Gate<Journal> journal;
    private final ApprovalRequestStore questions;
    private final LongSupplier clock;
    private final Ulids ids = new Ulids();

    AnswerProcessor(
            OwnershipCheck ownership,
            Gate<Journal> journal,
            ApprovalRequestStore questions,
            LongSupplier clock) {
        this.ownership = ownership;
        this.journal = journal;
        this.questions = questions;
        this.clock = clock;
    }

    /** Answers; see {@code Approvals.decide}. */
    void decide(Principal principal, ApprovalAnswer answer) {
        String id = answer.approvalId();
        Optional<ApprovalRow> found = questions.row(id);
        Authorized authorized = authorize(principal, found, answer);
        ApprovalRow row = found.orElseThrow();
        Vote vote = AnswerUnits.vote(principal, answer);
        for (int i = 0; i < TRIES; i++) {
            List<ApprovalVoteRow> votes = questions.votes(row);
            AnswerRefusals.requireOpen(row);
            AnswerRefusals.requireFirst(row, votes, principal);
            Unit unit =
                    unit(
                            StoredApprovalRequest.of(row),
                            votes,
                            principal,
                            answer,
                            vote,
                            authorized.record());
            if (commits(row, unit)) {
                return;
            }
            ApprovalRow now = questions.row(id).orElse(row);
            AnswerRefusals.requireChanged(row, now);
            row = now;
        }
        throw AnswerRefusals.busy(id);
    }

    /** About a pairing policy is asked what it is asked about the command. */
    private Authorized authorize(
            Principal principal, Optional<ApprovalRow> found, ApprovalAnswer answer) {
        Map<String, String> facts = facts(found, answer);
        return found.filter(ApprovalRow::isPairing).isPresent()
                ? ownership.pairing(principal, answer.granted() ? "approve" : "deny", facts)
                : ownership.change(
                        principal,
                        "approval.decide",
                        questions.resource(answer.approvalId(), found),
                        facts);
    }

    private static Map<String, String> facts(Optional<ApprovalRow> row, ApprovalAnswer answer) {
        Map<String, String> facts = new HashMap<>();
        facts.put("granted", Boolean.toString(answer.granted()));
        facts.put(
                "scope",
                answer.granted() ? CombinedScope.text(answer.scope(), answer.ttlMillis()) : "");
        facts.put("shape", AnswerRules.shape(answer).name().toLowerCase(Locale.ROOT));
        row.filter(question -> !question.isPairing())
                .ifPresent(
                        question -> {
                            facts.put("runId", question.runId());
                            facts.put("callId", question.callId());
                        });
        return facts;
    }

    private Unit unit(
            StoredApprovalRequest asked,
            List<ApprovalVoteRow> votes,
            Principal principal,
            ApprovalAnswer answer,
            Vote vote,
            Operation record) {
        long now = clock.getAsLong();
        asked.question()
                .filter(question -> !asked.row().isPairing()) // policy alone says who may
                .ifPresent(question -> requireMayAnswer(question, principal, now, record));
        if (!answer.granted()) {
            return AnswerUnits.no(asked.row(), vote, record);
        }
        ApprovalRequestBody question = asked.readable();
        if (!asked.row().isPairing()) {
            questions.requireRun(asked.row());
        }
        AnswerRules.requireOffered(question, answer);
        List<Vote> before =
                votes.stream().map(each -> ApprovalRequestCodec.vote(each.payload())).toList();
        return AnswerUnits.yes(asked.row(), question, before, vote, ids.next(), now, record);
    }

    /**
     * Refuses a permitted caller who is not an approver of this request, and records the refusal.
     */
    private void requireMayAnswer(
            ApprovalRequestBody question, Principal principal, long now, Operation record) {
        try {
            AnswerRules.requireMayAnswer(question, principal, now);
        } catch (PalyraException refusal) {
            try {
                Operation refused =
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM,
                                "approval_refused",
                                1,
                                AnswerRefusals.record(question, principal, refusal));
                journal.run(present -> present.commit(Unit.of(record, refused)));
            } catch (PalyraException e) {
                LOG.warn("A refusal could not be recorded: {}", refusal.getMessage(), e);
            }
            throw refusal;
        }
    }

    /** Returns false when another answer came first, or the time is over. */
    private boolean commits(ApprovalRow row, Unit unit) {
        try {
            Commits.commit(journal, unit);
            return true;
        } catch (PalyraException e) {
            switch (e.code()) {
                case CONFLICT -> {
                    return false;
                }
                case OUTCOME_UNKNOWN -> throw AnswerRefusals.uncertain(row.approvalId(), e);
                default -> throw e;
            }
        }
    }
}
