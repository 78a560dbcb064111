package palyra.shell.internal.evidence;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.api.tape.TapeEvent.ToolStarted;
import palyra.shell.internal.evidence.CallHistory.At;

/**
 * When what happened to a call, by the store's clock, in milliseconds. What has not happened is
 * left out. Pure.
 */
final class CallTiming {
    private final CallHistory call;

    CallTiming(CallHistory call) {
        this.call = call;
    }

    /** Returns the times and durations. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "proposedAtMillis", first(ToolCallProposal.class));
        put(fields, "decidedAtMillis", first(ToolDecision.class));
        put(fields, "askedAtMillis", first(ApprovalRequest.class));
        put(fields, "answeredAtMillis", last(ApprovalDecision.class));
        put(fields, "startedAtMillis", last(ToolStarted.class));
        put(fields, "endedAtMillis", last(ToolCallOutput.class));
        if (call.first(ApprovalRequest.class).isPresent()) {
            fields.put("waitedForPeopleMillis", waited());
        }
        between(fields, "ranMillis", last(ToolStarted.class), last(ToolCallOutput.class));
        between(fields, "inAllMillis", first(ToolCallProposal.class), last(ToolCallOutput.class));
        return fields;
    }

    /** Returns how long people were waited for: from each question to its answer. */
    long waited() {
        long sum = 0;
        for (At<ApprovalRequest> asked : call.of(ApprovalRequest.class)) {
            sum +=
                    call.of(ApprovalDecision.class).stream()
                            .filter(
                                    each ->
                                            each.event()
                                                    .approvalId()
                                                    .equals(asked.event().approvalId()))
                            .mapToLong(each -> each.timeMillis() - asked.timeMillis())
                            .findFirst()
                            .orElse(0);
        }
        return sum;
    }

    private <E extends TapeEvent> OptionalLong first(Class<E> type) {
        return call.of(type).stream().mapToLong(At::timeMillis).findFirst();
    }

    private <E extends TapeEvent> OptionalLong last(Class<E> type) {
        return call.of(type).stream().mapToLong(At::timeMillis).reduce((a, b) -> b);
    }

    private static void put(Map<String, Object> fields, String name, OptionalLong time) {
        time.ifPresent(millis -> fields.put(name, millis));
    }

    private static void between(
            Map<String, Object> fields, String name, OptionalLong from, OptionalLong to) {
        if (from.isPresent() && to.isPresent() && to.getAsLong() >= from.getAsLong()) {
            fields.put(name, to.getAsLong() - from.getAsLong());
        }
    }
}
