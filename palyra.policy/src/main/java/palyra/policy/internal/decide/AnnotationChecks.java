package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.core.policy.PolicyProblem;
import palyra.policy.internal.cedar.Effect;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.set.Snapshot;
import palyra.policy.internal.set.Snapshot.Origin;
import palyra.shared.text.Nearest;

/** Reads what policies oblige to from their annotations. */
public final class AnnotationChecks {
    private static final Set<String> KNOWN =
            Set.of(
                    "id",
                    "reason",
                    ApprovalAnnotations.APPROVAL,
                    ApprovalAnnotations.APPROVERS,
                    ApprovalAnnotations.OTHERS,
                    ApprovalAnnotations.TTL,
                    ApprovalAnnotations.SCOPES,
                    ApprovalAnnotations.QUORUM,
                    ConfinementAnnotations.TIER,
                    ConfinementAnnotations.EGRESS,
                    InterpreterAnnotations.ALLOW);

    /**
     * Returns the problems of the annotations of a set, errors first: values that cannot be read
     * are errors, those that mean nothing where they stand are warnings. A set with errors must not
     * come into force.
     */
    public List<PolicyProblem> check(Snapshot snapshot) {
        List<PolicyProblem> errors = new ArrayList<>();
        List<PolicyProblem> warnings = new ArrayList<>();
        for (Policy policy : snapshot.policies().policies()) {
            Origin origin = origin(snapshot, policy);
            for (Map.Entry<String, String> said : new TreeMap<>(policy.annotations()).entrySet()) {
                read(said.getKey(), said.getValue(), origin, errors);
                place(policy, said.getKey(), origin, warnings);
            }
            lifting(policy, origin, warnings);
        }
        errors.addAll(warnings);
        return errors;
    }

    private static Origin origin(Snapshot snapshot, Policy policy) {
        String id = policy.templateId().orElse(policy.id());
        Origin origin = snapshot.origins().get(id);
        return origin == null ? new Origin(policy.id(), "", 0, "") : origin;
    }

    private static void read(String name, String value, Origin origin, List<PolicyProblem> errors) {
        try {
            ApprovalAnnotations.check(name, value);
            ConfinementAnnotations.check(name, value);
            InterpreterAnnotations.check(name, value);
        } catch (IllegalArgumentException e) {
            errors.add(ProblemLocations.problem(true, origin, "@" + name, e.getMessage(), ""));
        }
    }

    private static void place(
            Policy policy, String name, Origin origin, List<PolicyProblem> warnings) {
        boolean permit = policy.effect() == Effect.PERMIT;
        boolean forForbids =
                name.equals(ApprovalAnnotations.APPROVAL)
                        || ApprovalAnnotations.DETAILS.contains(name);
        boolean forPermits =
                name.equals(ConfinementAnnotations.TIER)
                        || name.equals(ConfinementAnnotations.EGRESS)
                        || name.equals(InterpreterAnnotations.ALLOW);
        if (permit && forForbids || !permit && forPermits) {
            warnings.add(
                    ProblemLocations.problem(
                            false,
                            origin,
                            "@" + name,
                            "The annotation @"
                                    + name
                                    + " means nothing on a "
                                    + (permit ? "permit." : "forbid."),
                            "It belongs on a " + (permit ? "forbid." : "permit.")));
        }
        if (!KNOWN.contains(name)) {
            Nearest.to(name, KNOWN.stream().sorted().toList())
                    .ifPresent(
                            known ->
                                    warnings.add(
                                            ProblemLocations.problem(
                                                    false,
                                                    origin,
                                                    "@" + name,
                                                    "The annotation @" + name + " is not known.",
                                                    "Did you mean @" + known + "?")));
        }
    }

    /**
     * Warns of an approval that lifts nothing, and of a forbid that reads an approval without
     * asking.
     */
    private static void lifting(Policy policy, Origin origin, List<PolicyProblem> warnings) {
        if (policy.effect() != Effect.FORBID) {
            return;
        }
        boolean reads =
                origin.text().replaceAll("@[a-z]+\\(\"[^\"]*\"\\)", "").contains("approval");
        if (ApprovalAnnotations.liftable(policy) && !reads) {
            warnings.add(
                    ProblemLocations.problem(
                            false,
                            origin,
                            "@" + ApprovalAnnotations.APPROVAL,
                            "No approval lifts this forbid, although it has @approval.",
                            "Add: unless { context.approval.granted }"));
        } else if (!ApprovalAnnotations.liftable(policy) && (reads || hasDetails(policy))) {
            warnings.add(
                    ProblemLocations.problem(
                            false,
                            origin,
                            "",
                            "No person can approve what this forbid forbids.",
                            "Add @approval(\"…\") with the text of the approval request if a person may lift it."));
        }
    }

    private static boolean hasDetails(Policy policy) {
        return ApprovalAnnotations.DETAILS.stream().anyMatch(policy.annotations()::containsKey);
    }
}
