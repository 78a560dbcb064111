package palyra.transport.grpc.internal.service;

import java.util.Map;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.shared.gate.Gate;

/** Authorizes the calls that do not go through {@code Runs}. Thread-safe. */
final class Permissions {
    private final Gate<Access> access;

    Permissions(Gate<Access> access) {
        this.access = access;
    }

    /** Returns the permit for a change, whose record is committed with it. DENIED. */
    Authorized change(Principal principal, String action, String resource) {
        return change(principal, action, resource, "", Map.of());
    }

    /** Returns the permit for a change of something that belongs to {@code owner}. DENIED. */
    Authorized change(
            Principal principal,
            String action,
            String resource,
            String owner,
            Map<String, String> facts) {
        AccessRequest question = new AccessRequest(principal, action, resource, owner, facts);
        return GateCalls.call(access, present -> present.authorize(question));
    }

    /** Authorizes reading data of {@code owner}; empty means data without an owner. DENIED. */
    void read(Principal principal, String action, String resource, String owner) {
        AccessRequest question = new AccessRequest(principal, action, resource, owner, Map.of());
        GateCalls.run(access, present -> present.authorizeRead(question));
    }

    /**
     * Asks about reading what concerns a principal. Who may read agents may read what concerns
     * themselves; for others the rule is that of their sessions.
     */
    void readContextOf(Principal asking, String principal) {
        read(asking, "agent.read", "", "");
        if (!principal.equals(asking.id())) {
            read(asking, "session.list", "principal:" + principal, principal);
        }
    }
}
