package palyra.shell.internal.fakes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
import palyra.api.core.journal.Operation;
import palyra.shell.internal.host.Seams;

/**
 * Lets operators do everything but what is denied, others what is their own; keeps what was asked.
 */
public final class FakeAccess implements Access {
    public static final Principal OPERATOR =
            new Principal(
                    "user:op", PrincipalKind.USER, Set.of("operator"), Set.of(), "local-peer:0");
    public static final Principal VIEWER =
            new Principal("user:eve", PrincipalKind.USER, Set.of("viewer"), Set.of(), "token:1");

    /** One question and how it was asked. */
    public record Asked(String how, AccessRequest request) {}

    private final List<Asked> asked = new ArrayList<>(); // guarded by this
    private final List<Credential> credentials = new ArrayList<>(); // guarded by this
    private final Set<String> denied = new TreeSet<>(); // guarded by this
    private Principal peer = OPERATOR; // guarded by this
    private String waits = ""; // guarded by this

    public synchronized FakeAccess deny(String action) {
        denied.add(action);
        return this;
    }

    public synchronized FakeAccess as(Principal principal) {
        peer = principal;
        return this;
    }

    /** From now on every permit is from the emergency list, and its record waits. */
    public synchronized FakeAccess inEmergency(String sentence) {
        waits = sentence;
        return this;
    }

    @Override
    public synchronized Optional<String> recordWaits(Permit permit) {
        return Optional.of(waits).filter(sentence -> !sentence.isEmpty());
    }

    public synchronized List<Asked> asked() {
        return List.copyOf(asked);
    }

    public List<String> recorded() {
        return asked().stream()
                .filter(each -> !each.how().equals("read"))
                .map(each -> each.request().action())
                .toList();
    }

    public synchronized List<Credential> credentials() {
        return List.copyOf(credentials);
    }

    @Override
    public synchronized Principal authenticate(Credential credential) {
        credentials.add(credential);
        return peer;
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        throw new AssertionError("the shell has a caller for each request");
    }

    private synchronized Permit decide(String how, AccessRequest request) {
        asked.add(new Asked(how, request));
        boolean own = request.owner().equals(request.principal().id());
        boolean help = request.action().equals("command.help");
        boolean operator = request.principal().in("operator");
        if (denied.contains(request.action()) || !(operator || own || help)) {
            throw new PalyraException(ErrorCode.DENIED, "No: " + request.action() + ".");
        }
        return new Permit(
                "01J00000000000000000000000",
                request.principal(),
                request.action(),
                request.resource(),
                waits.isEmpty() ? DecisionSource.BUILT_IN_RULES : DecisionSource.BREAK_GLASS,
                "test",
                System.currentTimeMillis());
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        return new Authorized(
                decide("change", request),
                new Operation.Append("journal", "access_decision", 1, new byte[] {'{', '}'}));
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        return decide("recorded", request);
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        return decide("read", request);
    }

    @Override
    public Set<String> breakGlassActions() {
        return Set.of();
    }

    @Override
    public ToolAnswer decideTool(ToolQuestion question) {
        throw new AssertionError("the shell decides no tools");
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        TokenView token =
                new TokenView(
                        "01J0000000000000000000000T",
                        label,
                        principal,
                        groups,
                        scopes,
                        1_000,
                        ttlMillis == 0 ? 0 : 1_000 + ttlMillis,
                        0);
        return new IssuedToken(token, "palyra_secret");
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        return new TokenView(tokenId, "old", "user:x", Set.of(), Set.of(), 1, 0, 2_000);
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        permit.requireFor("access.token.list", System.currentTimeMillis());
        return List.of(
                new TokenView(
                        "01J0000000000000000000000T",
                        "ci",
                        "service:ci",
                        Set.of("integrator"),
                        Set.of("run.*"),
                        1_000,
                        0,
                        0));
    }

    public static Seams seams(FakeAccess access) {
        Seams seams = new Seams(200);
        seams.access().add(access, Map.of());
        return seams;
    }
}
