package palyra.health.internal;

import java.util.List;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
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

/** Knows two tokens: {@code palyra_operator} may do all, {@code palyra_nobody} nothing. */
final class FakeAccess implements Access {
    volatile RuntimeException failure;

    @Override
    public Principal authenticate(Credential credential) {
        if (failure != null) {
            throw failure;
        }
        String secret = credential instanceof Credential.ApiToken token ? token.secret() : "";
        return switch (secret) {
            case "palyra_operator" -> principal("user:operator", Set.of("operator"));
            case "palyra_nobody" -> principal("user:nobody", Set.of());
            default -> throw new PalyraException(ErrorCode.UNAUTHENTICATED, "unknown token");
        };
    }

    private static Principal principal(String id, Set<String> groups) {
        return new Principal(id, PrincipalKind.USER, groups, Set.of(), "token");
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        if (!request.principal().in("operator")) {
            throw new PalyraException(ErrorCode.DENIED, "not an operator");
        }
        return new Permit(
                "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                request.principal(),
                request.action(),
                request.resource(),
                DecisionSource.BUILT_IN_RULES,
                "",
                System.currentTimeMillis());
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }
}
