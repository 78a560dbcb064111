package palyra.front.internal;

import java.util.List;
import java.util.Set;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Credential;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.shared.gate.Gate;

/**
 * Access control behind its gate: each request takes a lease of its own, so that nothing of the
 * front holds on to a service that is being replaced. An absent service means no decision.
 */
final class GatedAccess implements Access {
    private final Gate<Access> gate;

    GatedAccess(Gate<Access> gate) {
        this.gate = gate;
    }

    @Override
    public Principal authenticate(Credential credential) {
        return gate.call(access -> access.authenticate(credential));
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        return gate.call(access -> access.speakFor(speaker, principalId));
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        return gate.call(access -> access.authorize(request));
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        return gate.call(access -> access.authorizeAndRecord(request));
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        return gate.call(access -> access.authorizeRead(request));
    }

    @Override
    public Set<String> breakGlassActions() {
        return gate.call(Access::breakGlassActions);
    }

    @Override
    public ToolPolicyDecision decideTool(ToolPolicyRequest question) {
        return gate.call(access -> access.decideTool(question));
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        return gate.call(
                access -> access.createToken(permit, label, principal, groups, scopes, ttlMillis));
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        return gate.call(access -> access.revokeToken(permit, tokenId));
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        return gate.call(access -> access.tokens(permit));
    }
}
