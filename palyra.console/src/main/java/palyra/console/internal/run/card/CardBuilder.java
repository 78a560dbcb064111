package palyra.console.internal.run.card;

import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Level;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;
import palyra.api.tape.TapeEvent.ApprovalVoted;
import palyra.api.tape.TapeEvent.ToolAttestation;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.api.tape.TapeEvent.ToolStarted;

/**
 * Puts the records of one call together, in whatever order and however many there are. Not
 * thread-safe.
 */
final class CardBuilder {
    private final String callId;
    private final List<ToolCard.Step> steps = new ArrayList<>();
    private String tool = "";
    private String input = "";
    private String state = "proposed";
    private Level level = Level.NOTICE;
    private String waiting = "";
    private String output = "";
    private String error = "";
    private boolean attested;
    private boolean ended;

    CardBuilder(String callId) {
        this.callId = callId;
    }

    /** Takes a record; returns false when it is about no call. */
    boolean take(long seq, long timeMillis, String type, TapeEvent event) {
        switch (event) {
            case ToolCallProposal proposal -> {
                tool = proposal.tool();
                input = proposal.inputJson();
                step(seq, timeMillis, type, "Proposed", Level.NOTICE, "The model asks for " + tool);
            }
            case ToolDecision decision -> decided(seq, timeMillis, type, decision);
            case ApprovalRequest request -> {
                waiting = request.approvalId();
                state("waits for approval", Level.WARNING);
                String quorum =
                        request.quorum() > 1 ? request.quorum() + " people are" : "A person is";
                step(seq, timeMillis, type, "Approval asked", Level.WARNING, quorum + " asked");
            }
            case ApprovalVoted vote ->
                    step(
                            seq,
                            timeMillis,
                            type,
                            "Vote",
                            Level.GOOD,
                            vote.principal()
                                    + " approved ("
                                    + vote.votes()
                                    + " of "
                                    + vote.quorum()
                                    + ")"
                                    + because(vote.reason()));
            case ApprovalDecision answer -> answered(seq, timeMillis, type, answer);
            case ToolStarted started -> {
                tool = tool.isEmpty() ? started.tool() : tool;
                state("running", Level.NOTICE);
                step(
                        seq,
                        timeMillis,
                        type,
                        "Started",
                        Level.NOTICE,
                        "Attempt " + started.attempt() + (grant(started.grantId())));
            }
            case ToolCallOutput result -> finished(seq, timeMillis, type, result);
            case ToolAttestation statement -> {
                attested = true;
                step(
                        seq,
                        timeMillis,
                        type,
                        "Attested",
                        Level.GOOD,
                        statement.executor()
                                + ", "
                                + statement.sandboxEnforcement()
                                + ", signed by key "
                                + statement.keyId());
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void decided(long seq, long timeMillis, String type, ToolDecision decision) {
        tool = tool.isEmpty() ? decision.tool() : tool;
        Level found =
                switch (decision.verdict()) {
                    case ALLOW -> Level.GOOD;
                    case DENY -> Level.BAD;
                    case APPROVAL_REQUIRED -> Level.WARNING;
                };
        String name =
                switch (decision.verdict()) {
                    case ALLOW -> "Allowed";
                    case DENY -> "Denied";
                    case APPROVAL_REQUIRED -> "Approval needed";
                };
        state(name.toLowerCase(java.util.Locale.ROOT), found);
        StringBuilder sentence = new StringBuilder(decision.reason());
        if (!decision.policyIds().isEmpty()) {
            sentence.append(" (").append(String.join(", ", decision.policyIds())).append(')');
        }
        if (!decision.tier().isEmpty()) {
            sentence.append(", tier ").append(decision.tier());
        }
        if (!decision.approvedBy().isEmpty()) {
            sentence.append(", approved by ").append(String.join(", ", decision.approvedBy()));
        }
        step(seq, timeMillis, type, name, found, sentence.toString());
    }

    private void answered(long seq, long timeMillis, String type, ApprovalDecision answer) {
        if (waiting.equals(answer.approvalId())) {
            waiting = "";
        }
        state(answer.granted() ? "approved" : "denied", answer.granted() ? Level.GOOD : Level.BAD);
        String who = answer.decidedBy().isEmpty() ? "" : answer.decidedBy() + " said ";
        String what = answer.granted() ? "yes, " + answer.scope() : "no";
        step(
                seq,
                timeMillis,
                type,
                answer.granted() ? "Approved" : "Denied",
                answer.granted() ? Level.GOOD : Level.BAD,
                who.isEmpty() ? answer.reason() : who + what + because(answer.reason()));
    }

    private void finished(long seq, long timeMillis, String type, ToolCallOutput result) {
        tool = tool.isEmpty() ? result.tool() : tool;
        waiting = "";
        output = result.outputJson();
        error = result.error();
        Level found =
                switch (result.outcome()) {
                    case SUCCEEDED -> Level.GOOD;
                    case CANCELLED, INTERRUPTED -> Level.WARNING;
                    case FAILED, DENIED, TIMED_OUT -> Level.BAD;
                };
        String name =
                switch (result.outcome()) {
                    case SUCCEEDED -> "done";
                    case FAILED -> "failed";
                    case DENIED -> "denied";
                    case TIMED_OUT -> "timed out";
                    case CANCELLED -> "cancelled";
                    case INTERRUPTED -> "interrupted";
                };
        state(name, found);
        ended = true;
        String images =
                result.images().isEmpty() ? "" : " with " + result.images().size() + " images";
        step(
                seq,
                timeMillis,
                type,
                "Output",
                found,
                error.isEmpty()
                        ? "The tool " + (found == Level.GOOD ? "is done" : "was " + name) + images
                        : error);
    }

    /** An outcome is the last word, also when a record of an earlier step is read after it. */
    private void state(String word, Level found) {
        if (!ended) {
            state = word;
            level = found;
        }
    }

    private void step(
            long seq, long timeMillis, String type, String name, Level found, String sentence) {
        steps.add(new ToolCard.Step(seq, timeMillis, type, name, found, sentence));
    }

    private static String because(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }

    private static String grant(String grantId) {
        return grantId.isEmpty() ? "" : ", under grant " + grantId;
    }

    ToolCard card() {
        return new ToolCard(
                callId,
                tool,
                input,
                state,
                level,
                ended ? "" : waiting,
                output,
                error,
                attested,
                steps);
    }
}
