package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;
import palyra.shared.text.Nearest;

/**
 * Policies that never apply, whatever is asked: Cedar's validator warns of them. A forbid that
 * never applies protects nothing, so it is an error here; a permit stays a warning. Stateless.
 */
final class ImpossiblePolicies {
    /** In the validator's warning of the kind ImpossiblePolicy, see cedar-policy-validator. */
    private static final String WARNING = "policy is impossible";

    private static final Pattern ASKED =
            Pattern.compile("\\bhas\\s+(?:\"([^\"]+)\"|([A-Za-z_][A-Za-z_0-9]*))");
    private static final Pattern ATTRIBUTE =
            Pattern.compile("\"?\\b([A-Za-z_][A-Za-z_0-9]*)\\b\"?\\s*\\??\\s*:(?!:)");

    /** Words that people use for an attribute that has another name. */
    private static final Map<String, String> SYNONYMS =
            Map.of(
                    "program", "executable",
                    "command", "executable",
                    "digest", "executable_sha256",
                    "arguments", "flags",
                    "options", "flags");

    private ImpossiblePolicies() {}

    /** Returns the problems of a compilation, in its order. */
    static List<PolicyProblem> problems(Compilation compiled, String schema) {
        List<PolicyProblem> problems = new ArrayList<>();
        for (Diagnostic found : compiled.diagnostics()) {
            Optional<CompiledPolicy> policy =
                    found.isError() || !found.message().contains(WARNING)
                            ? Optional.empty()
                            : policy(compiled, found.policyId());
            problems.add(
                    policy.map(one -> problem(one, found, schema))
                            .orElseGet(() -> PolicyProblems.of(found)));
        }
        return problems;
    }

    private static Optional<CompiledPolicy> policy(Compilation compiled, String id) {
        return compiled.policies().stream().filter(one -> one.id().equals(id)).findFirst();
    }

    private static PolicyProblem problem(CompiledPolicy policy, Diagnostic found, String schema) {
        boolean forbid = policy.json().replaceAll("\\s", "").contains("\"effect\":\"forbid\"");
        return new PolicyProblem(
                forbid,
                found.file(),
                found.line(),
                found.column(),
                "The "
                        + (forbid ? "forbid" : "permit")
                        + " never applies, whatever is asked"
                        + unknownAttributes(policy.text(), schema)
                        + ".",
                "Correct the names of attributes and types; schema.cedarschema has them all."
                        + (forbid ? "" : " A policy that is not needed any more can go."),
                found.sourceLine(),
                found.caretLine());
    }

    private static String unknownAttributes(String policy, String schema) {
        TreeSet<String> known = new TreeSet<>();
        for (Matcher one = ATTRIBUTE.matcher(schema); one.find(); ) {
            known.add(one.group(1));
        }
        TreeSet<String> unknown = new TreeSet<>();
        for (Matcher one = ASKED.matcher(policy); one.find(); ) {
            unknown.add(one.group(1) == null ? one.group(2) : one.group(1));
        }
        unknown.removeAll(known);
        StringBuilder text = new StringBuilder();
        for (String name : unknown) {
            text.append(text.isEmpty() ? ": " : "; ");
            text.append("the schema has no attribute ").append(name);
            Optional<String> meant =
                    Optional.ofNullable(SYNONYMS.get(name))
                            .filter(known::contains)
                            .or(() -> Nearest.to(name, known));
            meant.ifPresent(other -> text.append(" (did you mean ").append(other).append("?)"));
        }
        return text.toString();
    }
}
