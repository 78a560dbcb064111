package palyra.policy.internal.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.tape.TapeEvent.ToolDecision;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;

/** {@code policy why CALL}: why a call was decided as it was, and what would be decided now. */
final class WhyCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy why",
                    "Explains a recorded decision about a tool call",
                    "Shows what was decided and by which policies, with their text as it was in"
                            + " force then, and what the set in force now would say.",
                    List.of(),
                    List.of(
                            PositionalSpec.required(
                                    "CALL",
                                    "Id of the call, RUN.TURN.INDEX or last.TURN.INDEX, from the"
                                            + " tape; last is the last call of your newest run")),
                    PolicyServices.EXPLAIN,
                    false);

    private final PolicyServices services;

    WhyCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String callId = context.arguments().positional(0).orElse("");
        RecordedCall call = RecordedCall.find(services.journal(), context.principal().id(), callId);
        ToolDecision decision = call.decision();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("call", decision.callId());
        fields.put("tool", decision.tool());
        fields.put("decided", decision.verdict().name().toLowerCase(Locale.ROOT));
        fields.put("at", ReportView.time(call.timeMillis()));
        fields.put("decisions", call.decisions());
        fields.put("source", decision.source());
        fields.put("reasonCode", decision.reasonCode());
        fields.put("reason", decision.reason());
        fields.put("forOperators", decision.operatorReason());
        fields.put("determinedBy", decision.policyIds());
        fields.put("missing", decision.missing());
        fields.put("policySet", decision.setSha256());
        fields.put("nativeEngine", decision.confirmation().toLowerCase(Locale.ROOT));
        Optional<Snapshot> then = then(context, decision);
        List<Map<String, Object>> policies =
                then.map(set -> policies(set, decision.policyIds())).orElse(List.of());
        fields.put("policies", context.json() ? policies : List.of());
        if (!context.json()) {
            fields.remove("policies");
        }
        Optional<DecisionExplanation> now = now(context, decision);
        now.ifPresent(explained -> now(fields, explained));
        context.output().fields(fields);
        policies.forEach(policy -> write(context, policy));
        return ExitCodes.OK;
    }

    /** History may have let go of it. */
    private Optional<Snapshot> then(CommandContext context, ToolDecision decision) {
        if (decision.setSha256().isEmpty()) {
            context.output().note("No policy took part; the reason code says what decided.");
            return Optional.empty();
        }
        try {
            return Optional.of(services.sets().stored(decision.setSha256()));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            context.output()
                    .note("The policies of then are no longer in the history; their text is lost.");
            return Optional.empty();
        }
    }

    private static List<Map<String, Object>> policies(Snapshot set, List<String> names) {
        List<Map<String, Object>> found = new ArrayList<>();
        for (Policy policy : set.policies().policies()) {
            Snapshot.Origin origin = set.origins().get(policy.id());
            if (origin != null && names.contains(origin.name())) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("policy", origin.name());
                fields.put("effect", ListCommand.effect(policy));
                fields.put("place", origin.file() + ":" + origin.line());
                fields.put("reason", policy.annotations().getOrDefault("reason", ""));
                fields.put("text", origin.text());
                found.add(fields);
            }
        }
        return found;
    }

    private static void write(CommandContext context, Map<String, Object> policy) {
        context.output().line("");
        context.output().line(policy.get("place") + ", as it was in force then:");
        policy.get("text").toString().lines().forEach(context.output()::line);
    }

    private Optional<DecisionExplanation> now(CommandContext context, ToolDecision decision) {
        if (decision.evidenceJson().isEmpty() || services.sets().inForce().isEmpty()) {
            return Optional.empty();
        }
        try {
            PolicyRequest request = PolicyRequest.parse(decision.evidenceJson());
            return services.sets()
                    .inForce()
                    .map(set -> DecisionExplanation.of(set, services.check(), request));
        } catch (PalyraException e) {
            context.output().note("What would be decided now cannot be said: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static void now(Map<String, Object> fields, DecisionExplanation now) {
        fields.put("nowDecided", DecisionExplanation.outcome(now.answer()));
        fields.put("nowReasonCode", now.answer().reasonCode());
        fields.put("nowDeterminedBy", now.answer().policyIds());
        fields.put("nowMissing", now.answer().missing());
        fields.put("nowPolicySet", now.snapshot().view().sha256());
        fields.put("nowNativeEngine", now.natively());
    }
}
