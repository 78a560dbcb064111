package palyra.access.internal;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import palyra.api.access.DecisionSource;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.Capability;
import palyra.shared.hash.Digests;

/**
 * The fixed rules that hold where the configuration says so instead of policies. A pure table:
 * groups and what they may do, tools and who may use them. What no line allows is denied.
 */
final class BuiltInRules implements Rules {
    static final String OPERATOR = "operator";
    static final String APPROVER = "approver";
    static final String INTEGRATOR = "integrator";
    static final String VIEWER = "viewer";

    /** Every group that exists. */
    static final Set<String> GROUPS = Set.of(OPERATOR, APPROVER, INTEGRATOR, VIEWER);

    private static final Set<String> READING =
            Set.of(
                    "run.read",
                    "run.list",
                    "session.read",
                    "session.list",
                    "tape.read",
                    "tape.verify",
                    "tape.export",
                    "approval.read",
                    "approval.list",
                    "agent.read",
                    "system.status",
                    "metrics.read",
                    "command.help");
    private static final Set<String> OWN_RUNS =
            Set.of(
                    "run.start",
                    "run.cancel",
                    "run.retry",
                    "event.append",
                    "session.archive",
                    "session.resolve",
                    "approval.revoke",
                    "openai.chat");
    private static final Set<String> APPROVALS =
            Set.of("approval.read", "approval.list", "approval.decide", "approval.revoke");

    private static final Set<String> OWN_SECRETS =
            Set.of("vault.list", "vault.get", "vault.put", "vault.delete");

    /** What a person does with the own account of the console. */
    private static final Set<String> OWN_ACCOUNT =
            Set.of(
                    "access.account.read",
                    "access.factor.change",
                    "access.session.begin",
                    "access.session.prove",
                    "access.session.list",
                    "access.session.end");

    /** The service that uses keys of models for the gateway itself. */
    private static final String MODELS = "system:models";

    /**
     * Who has a credential with exactly the scope {@code action}, and is in one of {@code groups},
     * may do it. No other rule allows such an action, and no prefix counts.
     */
    private record ScopeRule(String id, String action, Set<String> groups) {
        boolean covers(Principal principal) {
            return principal.scopes().contains(action) && groups.stream().anyMatch(principal::in);
        }
    }

    private static final List<ScopeRule> SCOPE_RULES =
            List.of(
                    new ScopeRule(
                            "builtin.speaker_by_scope",
                            Delegation.ACTION,
                            Set.of(INTEGRATOR, OPERATOR)),
                    new ScopeRule(
                            "builtin.sensitive_by_scope",
                            "tool.allow_sensitive",
                            Set.of(OPERATOR)));

    /** Members of {@code group} may do {@code actions}; some of them also beyond their own. */
    private record GroupRule(String id, String group, Set<String> actions, boolean anyOwner) {
        boolean covers(Principal principal, String action) {
            boolean extension =
                    group.equals(OPERATOR) && action.startsWith(Actions.EXTENSION_PREFIX);
            return principal.in(group) && (extension || actions.contains(action));
        }

        boolean reaches(AccessRequest request) {
            boolean own = request.owner().equals(request.principal().id());
            return anyOwner
                    || switch (Actions.reach(request.action())) {
                        case GENERAL -> true;
                        case OWN -> own;
                        case OWN_OR_NEW -> own || request.owner().isEmpty();
                    };
        }
    }

    private static final List<GroupRule> GROUP_RULES =
            List.of(
                    new GroupRule("builtin.operator_all", OPERATOR, withoutScopeRules(), true),
                    new GroupRule("builtin.approver_decides", APPROVER, APPROVALS, true),
                    new GroupRule("builtin.approver_reads_own", APPROVER, READING, false),
                    new GroupRule("builtin.integrator_own_runs", INTEGRATOR, OWN_RUNS, false),
                    new GroupRule("builtin.integrator_reads_own", INTEGRATOR, READING, false),
                    new GroupRule("builtin.integrator_own_secrets", INTEGRATOR, OWN_SECRETS, false),
                    new GroupRule("builtin.viewer_read_own", VIEWER, READING, false),
                    new GroupRule("builtin.approver_own_account", APPROVER, OWN_ACCOUNT, false),
                    new GroupRule("builtin.integrator_own_account", INTEGRATOR, OWN_ACCOUNT, false),
                    new GroupRule("builtin.viewer_own_account", VIEWER, OWN_ACCOUNT, false));

    /** Returns whether an action is allowed only to credentials that name it as a scope. */
    static boolean needsScopeByName(String action) {
        return SCOPE_RULES.stream().anyMatch(rule -> rule.action().equals(action));
    }

    private static Set<String> withoutScopeRules() {
        Set<String> actions = new TreeSet<>(Actions.named());
        actions.removeIf(BuiltInRules::needsScopeByName);
        return actions;
    }

    /** A tool, the most it may declare, and whether it is for test agents only. */
    private record ToolRule(String id, String tool, Set<Capability> most, boolean testAgents) {}

    private static final List<ToolRule> TOOL_RULES =
            List.of(
                    new ToolRule("builtin.tool_echo", "palyra.echo", Set.of(), false),
                    new ToolRule("builtin.tool_sleep", "palyra.sleep", Set.of(), false),
                    new ToolRule(
                            "builtin.tool_test_append",
                            "palyra.test.append",
                            Set.of(Capability.FILESYSTEM_WRITE),
                            true));

    private final String sha256 = Digests.sha256Hex(text());

    @Override
    public DecisionSource source() {
        return DecisionSource.BUILT_IN_RULES;
    }

    @Override
    public AccessDecision decide(AccessRequest request) {
        String action = request.action();
        if (!Actions.known(action)) {
            return new AccessDecision.Deny(
                    "builtin.unknown_action",
                    "no rule knows the action " + action + ", so it is denied to every caller");
        }
        if (needsScopeByName(action)) {
            return decideByScope(action, request.principal());
        }
        if (isModelsKey(request)) {
            return new AccessDecision.Allow(
                    "builtin.models_use_keys", MODELS + " uses keys that have no owner");
        }
        boolean somebodyElses = false;
        for (GroupRule rule : GROUP_RULES) {
            if (rule.covers(request.principal(), action)) {
                if (rule.reaches(request)) {
                    return new AccessDecision.Allow(
                            rule.id(), "members of " + rule.group() + " may do " + action);
                }
                somebodyElses = true;
            }
        }
        return somebodyElses
                ? new AccessDecision.Deny(
                        "builtin.not_own",
                        action + " is limited to what belongs to " + request.principal().id())
                : new AccessDecision.Deny(
                        "builtin.default_deny",
                        request.principal().id() + " is in no group that may do " + action);
    }

    /** No credential is for such a principal: only the gateway itself asks so. */
    private static boolean isModelsKey(AccessRequest request) {
        return request.principal().kind() == PrincipalKind.SYSTEM
                && request.principal().id().equals(MODELS)
                && request.action().equals("vault.get")
                && request.owner().isEmpty()
                && request.facts().getOrDefault("purpose", "").equals("model");
    }

    private static AccessDecision decideByScope(String action, Principal principal) {
        ScopeRule rule =
                SCOPE_RULES.stream()
                        .filter(each -> each.action().equals(action))
                        .findFirst()
                        .orElseThrow();
        String who = "members of " + String.join(" or ", new TreeSet<>(rule.groups()));
        return rule.covers(principal)
                ? new AccessDecision.Allow(
                        rule.id(), who + " whose credential has that scope may do " + rule.action())
                : new AccessDecision.Deny(
                        "builtin.explicit_scope",
                        "only " + who + " whose credential names exactly that scope may do it");
    }

    @Override
    public ToolCallDecision decideTool(ToolPolicyRequest question) {
        ToolRule rule = find(question.toolName());
        Set<Capability> most = rule == null ? Set.of() : rule.most();
        Set<String> beyond = new TreeSet<>();
        for (Capability capability : question.descriptor().capabilities()) {
            if (capability.sensitive() && !most.contains(capability)) {
                beyond.add(capability.name());
            }
        }
        if (!beyond.isEmpty()) {
            return denied(
                    "builtin.tool_capabilities",
                    "tool.sensitive",
                    question.toolName()
                            + " can reach "
                            + String.join(", ", beyond)
                            + ", which nothing but a policy can allow, and policies are not"
                            + " asked here.");
        }
        if (rule == null) {
            return denied(
                    "builtin.tool_default_deny",
                    "policy.unavailable",
                    "Policies are not asked here, and the built-in rules do not know "
                            + question.toolName()
                            + ".");
        }
        if (rule.testAgents() && !question.testAgent()) {
            return denied(
                    rule.id(),
                    "tool.test_agents_only",
                    question.toolName() + " is for agents that are marked as test agents.");
        }
        return ToolCallDecision.builtIn(
                Verdict.ALLOW, rule.id(), "tool.allowed", "The built-in rules allow it.");
    }

    private static ToolCallDecision denied(String ruleId, String code, String reason) {
        return ToolCallDecision.builtIn(Verdict.DENY, ruleId, code, reason);
    }

    private static ToolRule find(String tool) {
        return TOOL_RULES.stream()
                .filter(rule -> rule.tool().equals(tool))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Usable usableTools(ToolPolicyRequest question) {
        SortedSet<String> tools = new TreeSet<>();
        for (ToolRule rule : TOOL_RULES) {
            if (question.testAgent() || !rule.testAgents()) {
                tools.add(rule.tool());
            }
        }
        return new Usable(tools, sha256);
    }

    /** Returns the digest of the table, lower-case hex. */
    String sha256() {
        return sha256;
    }

    /** Returns the table in a form that changes exactly when the rules do. */
    static String text() {
        StringJoiner lines = new StringJoiner("\n", "palyra.builtin-rules.v1\n", "\n");
        Actions.table().forEach((action, reach) -> lines.add("action " + action + " " + reach));
        for (ScopeRule rule : SCOPE_RULES) {
            lines.add("scope " + rule.id() + " " + rule.action() + " " + sorted(rule.groups()));
        }
        lines.add("allow builtin.models_use_keys " + MODELS + " unowned vault.get for model");
        for (GroupRule rule : GROUP_RULES) {
            String whose = rule.anyOwner() ? " any " : " own ";
            lines.add("allow " + rule.id() + " " + rule.group() + whose + sorted(rule.actions()));
        }
        for (ToolRule rule : TOOL_RULES) {
            Set<String> most = new TreeSet<>();
            rule.most().forEach(capability -> most.add(capability.name()));
            String who = rule.testAgents() ? "test" : "every";
            lines.add("tool " + rule.id() + " " + rule.tool() + " " + sorted(most) + " " + who);
        }
        return lines.toString();
    }

    private static String sorted(Collection<String> words) {
        return String.join(",", new TreeSet<>(words));
    }
}
