package palyra.transport.grpc.internal.server;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Credential;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;

/** Knows some credentials; connectors may speak for users. Decides nothing else. */
final class FakeAccess implements Access {
    static final String CONNECTOR = "service:connector";

    final Map<String, String> tokens = new ConcurrentHashMap<>();
    final Map<String, String> certificates = new ConcurrentHashMap<>();
    final AtomicInteger asked = new AtomicInteger();
    volatile ErrorCode away; // null while it answers

    FakeAccess() {
        tokens.put("palyra_alice", "user:alice");
        tokens.put("palyra_bob", "user:bob");
        tokens.put("palyra_connector", CONNECTOR);
    }

    @Override
    public Principal authenticate(Credential credential) {
        asked.incrementAndGet();
        if (away != null) {
            throw new PalyraException(away, "The test took access control away; try again.");
        }
        String id =
                switch (credential) {
                    case Credential.ApiToken token -> tokens.get(token.secret());
                    case Credential.ClientCertificate own -> certificates.get(own.sha256());
                    case Credential.LocalPeer peer -> null;
                };
        if (id == null) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED, "The credential is not known or counts no longer.");
        }
        return principal(id, credential.getClass().getSimpleName() + " of " + id);
    }

    private static Principal principal(String id, String credentialId) {
        return new Principal(id, PrincipalKind.USER, Set.of(), Set.of(), credentialId);
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        if (!speaker.id().equals(CONNECTOR) || !principalId.startsWith("user:")) {
            throw new PalyraException(
                    ErrorCode.DENIED, speaker.id() + " may not speak for " + principalId + ".");
        }
        return principal(principalId, speaker.credentialId());
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> breakGlassActions() {
        return Set.of();
    }

    @Override
    public ToolAnswer decideTool(ToolQuestion question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        throw new UnsupportedOperationException();
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        return List.of();
    }
}
