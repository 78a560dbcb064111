package palyra.tracing.internal;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeCodec;
import palyra.tracing.internal.Keys.Facts;

/**
 * The spans of a run that has ended, from its message, its tape and its answers. Of a run with more
 * than {@value #MOST} the first are kept and the others counted. For one thread.
 */
final class RunSpans {
    /** Most spans of a trace. */
    static final int MOST = 500;

    private static final String ROOT = "message";
    private static final String RUN = "run";
    private static final int FRAME = 3; // message, inbox, run
    private static final Set<String> READ =
            Set.of(
                    "run_state",
                    "turn_started",
                    "turn_finished",
                    "tool_decision",
                    "tool_started",
                    "tool_call_output",
                    "approval_request",
                    "approval_decision");

    private final RunRow run;
    private final Optional<InboxRow> inbox;
    private final List<SpanPlan> spans = new ArrayList<>();
    private final Map<String, Call> calls = new LinkedHashMap<>(); // without an output yet
    private final Map<String, Asked> asked = new LinkedHashMap<>(); // without a decision yet
    private Turn turn; // under way; null for none
    private long acceptedMillis;
    private long endedMillis;
    private long lastMillis;
    private String code = "";
    private long leftOut;
    private long openSends;

    private record Turn(TapeEvent.TurnStarted first, int attempts, long startMillis) {}

    /** A call; {@code tool} is empty until it has started, for a model may name what is no tool. */
    private record Call(String tool, int attempts, long startMillis, String code) {}

    private record Asked(TapeEvent.ApprovalRequest request, long startMillis) {}

    RunSpans(RunRow run, Optional<InboxRow> inbox) {
        this.run = run;
        this.inbox = inbox;
        acceptedMillis = run.createdAtMillis();
        endedMillis = run.updatedAtMillis();
    }

    /** Takes the next record of the tape; one that was erased says nothing. */
    void take(TapeRecord record) {
        if (!READ.contains(record.type())) {
            return;
        }
        long time = record.timeMillis();
        switch (TapeCodec.event(record)) {
            case TapeEvent.RunStateChanged state -> moved(state, time);
            case TapeEvent.TurnStarted started -> begun(started, time);
            case TapeEvent.TurnFinished finished -> finished(finished, time);
            case TapeEvent.ToolDecision decision -> decided(decision, time);
            case TapeEvent.ToolStarted started -> started(started, time);
            case TapeEvent.ToolCallOutput output -> ended(output, time);
            case TapeEvent.ApprovalRequest request ->
                    asked.put(request.approvalId(), new Asked(request, time));
            case TapeEvent.ApprovalDecision decision -> answered(decision, time);
            default -> {} // erased, or of a form that is not known here
        }
    }

    private void moved(TapeEvent.RunStateChanged change, long time) {
        if (change.state() == RunState.ACCEPTED) {
            acceptedMillis = time;
        } else if (change.state().terminal()) {
            endedMillis = time;
            code = change.code() == null ? "" : change.code().name();
        }
    }

    private void begun(TapeEvent.TurnStarted started, long time) {
        boolean again = turn != null && turn.first().turn() == started.turn();
        if (turn != null && !again) {
            add(turnSpan(time, Outcome.INTERRUPTED.name(), new Facts()));
        }
        turn = new Turn(started, started.attempt(), again ? turn.startMillis() : time);
    }

    private void finished(TapeEvent.TurnFinished finished, long time) {
        if (turn == null || turn.first().turn() != finished.turn()) {
            return; // its beginning was erased
        }
        Facts used =
                new Facts()
                        .put(Keys.INPUT, finished.inputTokens())
                        .put(Keys.OUTPUT, finished.outputTokens());
        if (finished.cachedInputTokens() > 0) {
            used.put(Keys.CACHED, finished.cachedInputTokens());
        }
        add(turnSpan(time, Outcome.SUCCEEDED.name(), used));
        turn = null;
    }

    private SpanPlan turnSpan(long endMillis, String outcome, Facts facts) {
        int number = turn.first().turn();
        Attributes attributes =
                facts.put(Keys.OPERATION, "chat")
                        .put(Keys.PROVIDER, turn.first().provider())
                        .put(Keys.MODEL, turn.first().model())
                        .put(Keys.TURN, number)
                        .put(Keys.ATTEMPTS, turn.attempts())
                        .put(Keys.OUTCOME, outcome)
                        .done();
        return new SpanPlan(
                "turn/" + number,
                RUN,
                "turn " + number,
                SpanKind.CLIENT,
                turn.startMillis(),
                endMillis,
                attributes,
                !outcome.equals(Outcome.SUCCEEDED.name()));
    }

    private void decided(TapeEvent.ToolDecision decision, long time) {
        calls.compute(
                decision.callId(),
                (id, call) ->
                        call == null
                                ? new Call("", 0, time, decision.reasonCode())
                                : new Call(
                                        call.tool(),
                                        call.attempts(),
                                        call.startMillis(),
                                        decision.reasonCode()));
    }

    private void started(TapeEvent.ToolStarted started, long time) {
        calls.compute(
                started.callId(),
                (id, call) ->
                        new Call(
                                started.tool(),
                                started.attempt(),
                                call == null || call.attempts() == 0 ? time : call.startMillis(),
                                call == null ? "" : call.code()));
    }

    private void ended(TapeEvent.ToolCallOutput output, long time) {
        Call call = calls.remove(output.callId());
        toolSpan(
                output.callId(),
                call == null ? new Call("", 0, time, "") : call,
                time,
                output.outcome());
    }

    private void toolSpan(String callId, Call call, long endMillis, Outcome outcome) {
        boolean denied = outcome == Outcome.DENIED;
        Attributes attributes =
                new Facts()
                        .put(Keys.OPERATION, "execute_tool")
                        .put(Keys.TOOL, call.tool())
                        .put(Keys.CALL, callId)
                        .put(Keys.ATTEMPTS, call.attempts())
                        .put(Keys.OUTCOME, outcome.name())
                        .put(Keys.CODE, denied ? call.code() : "")
                        .done();
        add(
                new SpanPlan(
                        "tool/" + callId,
                        RUN,
                        call.tool().isEmpty() ? "tool" : "tool " + Keys.word(call.tool()),
                        SpanKind.INTERNAL,
                        call.startMillis(),
                        endMillis,
                        attributes,
                        outcome != Outcome.SUCCEEDED && outcome != Outcome.CANCELLED));
    }

    private void answered(TapeEvent.ApprovalDecision decision, long time) {
        Asked question = asked.remove(decision.approvalId());
        if (question == null) {
            return; // its request was erased
        }
        String no = decision.decidedBy().isEmpty() ? "EXPIRED" : "DENIED";
        approvalSpan(question, time, decision.granted() ? "GRANTED" : no);
    }

    private void approvalSpan(Asked question, long endMillis, String outcome) {
        Attributes attributes =
                new Facts()
                        .put(Keys.APPROVAL, question.request().approvalId())
                        .put(Keys.CALL, question.request().callId())
                        .put(Keys.QUORUM, question.request().quorum())
                        .put(Keys.OUTCOME, outcome)
                        .done();
        add(
                new SpanPlan(
                        "approval/" + question.request().approvalId(),
                        RUN,
                        "approval",
                        SpanKind.INTERNAL,
                        question.startMillis(),
                        endMillis,
                        attributes,
                        false));
    }

    /** Takes an answer: one that is read and not sent is no span, one on its way is counted. */
    void take(OutboxRow row) {
        switch (row.state()) {
            case READABLE -> {} // nothing is sent
            case PENDING, SENDING -> openSends++;
            case SENT, UNKNOWN, FAILED, WITHDRAWN -> {
                boolean failed =
                        row.state() == OutboxRow.State.FAILED
                                || row.state() == OutboxRow.State.UNKNOWN;
                Attributes attributes =
                        new Facts()
                                .put(Keys.OUTBOX, row.outboxId())
                                .put(Keys.SURFACE, row.surface())
                                .put(Keys.ATTEMPTS, row.attempts())
                                .put(Keys.PARTS, row.progress().sentIds().size())
                                .put(Keys.OUTCOME, row.state().name())
                                .done();
                add(
                        new SpanPlan(
                                "send/" + row.outboxId(),
                                ROOT,
                                "send",
                                SpanKind.PRODUCER,
                                row.createdAtMillis(),
                                row.updatedAtMillis(),
                                attributes,
                                failed));
            }
        }
    }

    private void add(SpanPlan span) {
        lastMillis = Math.max(lastMillis, span.endMillis());
        if (spans.size() < MOST - FRAME) {
            spans.add(span);
        } else {
            leftOut++;
        }
    }

    /** Ends what is open and returns all spans, each after its parent. */
    List<SpanPlan> done() {
        if (turn != null) {
            add(turnSpan(endedMillis, Outcome.INTERRUPTED.name(), new Facts()));
        }
        calls.forEach((id, call) -> toolSpan(id, call, endedMillis, Outcome.INTERRUPTED));
        asked.values().forEach(question -> approvalSpan(question, endedMillis, "WITHDRAWN"));
        boolean failed = run.state() == RunState.FAILED;
        List<SpanPlan> all = new ArrayList<>();
        all.add(root(failed));
        inbox.ifPresent(row -> all.add(inboxSpan(row)));
        all.add(
                new SpanPlan(
                        RUN,
                        ROOT,
                        RUN,
                        SpanKind.INTERNAL,
                        acceptedMillis,
                        endedMillis,
                        facts().put(Keys.CODE, code).done(),
                        failed));
        all.addAll(spans);
        return all;
    }

    private SpanPlan root(boolean failed) {
        Facts facts = facts().put(Keys.MESSAGE, run.messageId());
        if (leftOut > 0) {
            facts.put(Keys.LEFT_OUT, leftOut);
        }
        if (openSends > 0) {
            facts.put(Keys.OPEN_SENDS, openSends);
        }
        return new SpanPlan(
                ROOT,
                "",
                ROOT,
                SpanKind.CONSUMER,
                inbox.map(InboxRow::createdAtMillis).orElse(acceptedMillis),
                Math.max(endedMillis, lastMillis),
                facts.done(),
                failed);
    }

    private SpanPlan inboxSpan(InboxRow row) {
        return new SpanPlan(
                "inbox",
                ROOT,
                "inbox",
                SpanKind.INTERNAL,
                row.createdAtMillis(),
                acceptedMillis,
                new Facts()
                        .put(Keys.MESSAGE, row.messageId())
                        .put(Keys.SURFACE, row.surface())
                        .done(),
                false);
    }

    private Facts facts() {
        return new Facts()
                .put(Keys.RUN, run.runId())
                .put(Keys.SESSION, run.sessionId())
                .put(Keys.AGENT, run.agentId())
                .put(Keys.SURFACE, run.surface())
                .put(Keys.OUTCOME, run.state().name());
    }
}
