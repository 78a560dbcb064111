package palyra.simulation.world;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.hash.Ulids;

/** Policy is not what is simulated: everything is allowed, and one tool needs a person. */
final class OpenDoor {
    private static final ApprovalTerms TERMS =
            new ApprovalTerms(
                    Set.of("group:approver"), true, 3_600_000, Set.of(ApprovalScope.values()), 1);

    private final Ulids ids = new Ulids();

    private OpenDoor() {}

    /** Returns an access control of one process. */
    static Access access() {
        OpenDoor door = new OpenDoor();
        return (Access)
                Proxy.newProxyInstance(
                        Access.class.getClassLoader(),
                        new Class<?>[] {Access.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "authorize" ->
                                            door.authorized((AccessRequest) arguments[0]);
                                    case "authorizeRead", "authorizeAndRecord" ->
                                            door.permit((AccessRequest) arguments[0]);
                                    case "decideTool" -> decide((ToolPolicyRequest) arguments[0]);
                                    case "breakGlassActions" -> Set.of();
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "equals" -> self == arguments[0];
                                    case "toString" -> "open door";
                                    default ->
                                            throw new PalyraException(
                                                    ErrorCode.DENIED,
                                                    method.getName() + " is not simulated");
                                });
    }

    private Permit permit(AccessRequest request) {
        return permit(request.principal(), request.action());
    }

    private Permit permit(Principal principal, String action) {
        return new Permit(
                ids.next(),
                principal,
                action,
                "",
                DecisionSource.BUILT_IN_RULES,
                "",
                System.currentTimeMillis());
    }

    private Authorized authorized(AccessRequest request) {
        return authorized(permit(request));
    }

    private static Authorized authorized(Permit permit) {
        return new Authorized(
                permit,
                new Operation.Append(
                        "journal", "access_decision", 1, "{}".getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns a permit for one action. */
    static Authorized allow(Principal principal, String action) {
        return authorized(new OpenDoor().permit(principal, action));
    }

    private static ToolPolicyDecision decide(ToolPolicyRequest question) {
        boolean asks =
                question.toolName().equals(Effects.ASKING) && !question.situation().approved();
        Verdict verdict = asks ? Verdict.APPROVAL_REQUIRED : Verdict.ALLOW;
        PolicyDecision policy =
                new PolicyDecision(
                        asks
                                ? PolicyDecision.Outcome.ALLOW_IF_APPROVED
                                : PolicyDecision.Outcome.ALLOW,
                        "simulated",
                        "The simulation says " + verdict + ".",
                        "operators read this",
                        List.of("simulated"),
                        List.of(),
                        asks ? Optional.of(TERMS) : Optional.empty(),
                        Confinement.STRICTEST,
                        PolicyDecision.Confirmation.NOT_NEEDED,
                        "5e7",
                        1,
                        "{}");
        return new ToolPolicyDecision(
                verdict,
                policy.reasonCode(),
                policy.reason(),
                "POLICY",
                policy.policyIds(),
                "{}",
                Optional.of(policy));
    }
}
