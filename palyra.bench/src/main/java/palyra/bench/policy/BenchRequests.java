package palyra.bench.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Policy requests as palyra.access makes them, by number. */
final class BenchRequests {
    /** How many differ before they repeat. */
    static final int KINDS = 64;

    private static final long TIMEOUT_MILLIS = 30_000;
    private static final int INPUT_BYTES = 65_536;
    private static final int MOST_CALLS = 16;

    private BenchRequests() {}

    private static Principal member(int i) {
        return new Principal(
                "user:u" + i % 40,
                PrincipalKind.USER,
                Set.of(i % 3 == 0 ? "viewer" : "integrator"),
                Set.of(),
                "credential" + i % 40);
    }

    /** Returns a policy request about an action whose allow needs no second opinion. */
    static AccessRequest action(int i) {
        String owner = "user:u" + (i % 4 == 0 ? i + 1 : i) % 40;
        String action = i % 2 == 0 ? "run.read" : "run.cancel";
        return new AccessRequest(
                member(i), action, "run:01J" + i, owner, Map.of("surface", "grpc"));
    }

    /** Returns a policy request about an action whose allow the native engine has to confirm. */
    static AccessRequest sensitive(int i) {
        Principal approver =
                new Principal(
                        "user:u" + i % 40,
                        PrincipalKind.USER,
                        Set.of("approver"),
                        Set.of(),
                        "credential");
        return new AccessRequest(
                approver,
                "approval.decide",
                "approval:01J" + i,
                "user:u1",
                Map.of("granted", "true", "scope", "once"));
    }

    /**
     * Returns a policy request about a call: allowed, or asked about where it reaches something.
     */
    static ToolPolicyRequest call(int i) {
        boolean reaches = i % 2 == 0;
        Set<Capability> capabilities =
                reaches ? Set.of(Capability.NETWORK, Capability.FILESYSTEM_WRITE) : Set.of();
        return call(i, "acme.tool" + i % 60, capabilities, Set.of("integrator"));
    }

    /** Returns a policy request about a call that nothing permits. */
    static ToolPolicyRequest denied(int i) {
        return call(i, "acme.unknown", Set.of(Capability.NETWORK), Set.of("viewer"));
    }

    private static ToolPolicyRequest call(
            int i, String tool, Set<Capability> capabilities, Set<String> groups) {
        CallFacts facts =
                capabilities.isEmpty()
                        ? CallFacts.none()
                        : new CallFacts(
                                "",
                                "",
                                Set.of(),
                                0,
                                Set.of("h" + i + ".example.org"),
                                Set.of(443),
                                Set.of("GET"),
                                Set.of(),
                                Set.of("/work/out" + i),
                                Set.of());
        return new ToolPolicyRequest(
                "user:u" + i % 40,
                "main",
                false,
                "01JRUN" + i,
                "01JSESSION" + i % 8,
                "01JRUN" + i + ".1.0",
                tool,
                new ToolDescriptor(
                        tool, tool, "{}", capabilities, false, true, TIMEOUT_MILLIS, INPUT_BYTES),
                "{}",
                Set.of(tool),
                MOST_CALLS - i % MOST_CALLS,
                MOST_CALLS,
                new CallContext("discord:c" + i % 16, "", groups, false, false, Set.of(), facts),
                List.of());
    }

    /** Returns what the journal keeps of a decision about an action. */
    static byte[] record(AccessRequest request, PolicyDecision answer) {
        boolean allowed = answer.outcome() == PolicyDecision.Outcome.ALLOW;
        ObjectNode root = node(answer);
        root.put("principal", request.principal().id());
        root.put("credentialId", request.principal().credentialId());
        root.put("action", request.action());
        root.put("resource", request.resource());
        root.put("owner", request.owner());
        root.put("decision", allowed ? "allow" : "deny");
        root.set("evidence", StrictJson.parse(answer.evidenceJson(), "the evidence"));
        return Jcs.bytes(root);
    }

    private static ObjectNode node(PolicyDecision answer) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("permitId", "01JPERMIT");
        root.put("source", "POLICY");
        root.put("policySet", answer.setSha256());
        root.put("epoch", answer.epoch());
        root.put("reasonCode", answer.reasonCode());
        root.put("reason", answer.reason());
        root.put("operatorReason", answer.operatorReason());
        root.put("confirmation", answer.confirmation().name());
        answer.policyIds().forEach(root.putArray("policyIds")::add);
        return root;
    }
}
