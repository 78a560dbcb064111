package palyra.shell.internal.evidence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.CommandContext;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.shell.internal.commands.TapeLine;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.evidence.CallHistory.At;

/** Writes why a call ran or did not for a person: the answer first, then what happened when. */
final class WhyText {
    private static final int MOST_INPUT = 400;

    private final WhyReport report;

    WhyText(WhyReport report) {
        this.report = report;
    }

    void write(CommandContext context) {
        context.output().fields(answer());
        context.output().table(List.of("Record", "When", "After", "What", "Details"), timeline());
        context.output().fields(rest());
    }

    private Map<String, Object> answer() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("call", report.call().callId());
        report.call()
                .first(ToolCallProposal.class)
                .ifPresent(
                        at -> {
                            fields.put("tool", at.event().tool());
                            fields.put("input", Words.brief(at.event().inputJson(), MOST_INPUT));
                        });
        fields.put("answer", report.status());
        report.call().last(ToolDecision.class).ifPresent(at -> fields.putAll(decision(at.event())));
        if (!report.missing().isEmpty()) {
            fields.put("wouldAllow", report.missing());
        }
        return fields;
    }

    private static Map<String, Object> decision(ToolDecision decision) {
        Map<String, Object> fields = new LinkedHashMap<>();
        String why = decision.operatorReason();
        fields.put("because", why.isEmpty() ? decision.reason() : why);
        fields.put("policies", decision.policyIds());
        if (!decision.setSha256().isEmpty()) {
            fields.put("policySet", decision.setSha256());
        }
        if (!decision.confirmation().isEmpty()) {
            fields.put("nativeEngine", decision.confirmation());
        }
        if (!decision.tier().isEmpty()) {
            fields.put("sandboxAsked", "tier " + decision.tier() + ", egress " + decision.egress());
        }
        return fields;
    }

    private List<List<?>> timeline() {
        List<List<?>> rows = new ArrayList<>();
        long before = 0;
        for (At<TapeEvent> at : report.call().all()) {
            rows.add(
                    List.of(
                            at.seq(),
                            Words.time(at.timeMillis()),
                            before == 0 ? "" : after(at.timeMillis() - before),
                            what(at.event()),
                            TapeLine.of(at.event())));
            before = at.timeMillis();
        }
        return rows;
    }

    private static String after(long millis) {
        return millis < 10_000 ? millis + " ms" : Words.duration(millis);
    }

    private static String what(TapeEvent event) {
        return switch (event) {
            case ToolCallProposal e -> "proposed";
            case ToolDecision e -> "decided";
            case TapeEvent.ApprovalRequest e -> "asked";
            case TapeEvent.ApprovalVoted e -> "vote";
            case TapeEvent.ApprovalDecision e -> "answered";
            case TapeEvent.ToolStarted e -> "started";
            case TapeEvent.ToolCallOutput e -> "ended";
            case TapeEvent.ToolAttestation e -> "attested";
            default -> "";
        };
    }

    private Map<String, Object> rest() {
        Map<String, Object> all = report.fields();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("grant", all.get("grant"));
        fields.put("executed", report.execution());
        fields.put("limits", all.get("limits"));
        long waited = new CallTiming(report.call()).waited();
        if (waited > 0) {
            fields.put("waitedForPeople", after(waited));
        }
        fields.put("evidence", all.get("evidence"));
        fields.values().removeIf(each -> each instanceof Map<?, ?> map && map.isEmpty());
        return fields;
    }
}
