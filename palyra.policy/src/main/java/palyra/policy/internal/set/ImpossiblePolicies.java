package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.LinkedHashMap;
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
public final class ImpossiblePolicies {
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

    /** In the help of the engine's error about an optional attribute. */
    private static final String OPTIONAL = "try testing";

    private ImpossiblePolicies() {}

    /**
     * Returns the problems of a compilation, in its order.
     *
     * @param schema text of the schema that it was compiled with; empty without one
     */
    public static List<PolicyProblem> problems(Compilation compiled, String schema) {
        List<PolicyProblem> problems = new ArrayList<>();
        for (Diagnostic found : onceForEachPlace(compiled.diagnostics())) {
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

    /**
     * The engine checks a policy against each action that it may be about, and tells one mistake as
     * many times. Returns one error for each place: the one that says how to ask for an optional
     * attribute, if there is one, for the others follow from that.
     */
    static List<Diagnostic> onceForEachPlace(List<Diagnostic> all) {
        Map<String, List<Diagnostic>> places = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Diagnostic one = all.get(i);
            String place = one.file() + "\0" + one.line() + "\0" + one.column();
            String key = one.isError() && one.line() > 0 ? place : "other " + i;
            places.computeIfAbsent(key, k -> new ArrayList<>()).add(one);
        }
        return places.values().stream().map(ImpossiblePolicies::one).toList();
    }

    private static Diagnostic one(List<Diagnostic> here) {
        Diagnostic first =
                here.stream()
                        .filter(each -> each.help().contains(OPTIONAL))
                        .findFirst()
                        .orElse(here.get(0));
        return here.size() == 1
                ? first
                : new Diagnostic(
                        first.severity(),
                        first.file(),
                        first.line(),
                        first.column(),
                        first.length(),
                        first.message() + " (and " + (here.size() - 1) + " more errors here)",
                        first.help(),
                        first.policyId(),
                        first.sourceLine(),
                        first.caretLine());
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
