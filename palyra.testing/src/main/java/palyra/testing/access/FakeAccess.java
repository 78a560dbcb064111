package palyra.testing.access;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
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
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * Access control for tests: knows the credentials, allows the requests and refuses the actions that
 * the test names, and records every call. Thread-safe; the settings may change while it is in use.
 *
 * <p>A test names the uses that it expects. Any other use throws {@link
 * UnsupportedOperationException}.
 */
public class FakeAccess implements Access {
    /** One kind of call of {@link Access}. */
    public enum Use {
        /** {@link Access#authenticate}. */
        AUTHENTICATE,
        /** {@link Access#speakFor}. */
        SPEAK_FOR,
        /** {@link Access#authorize}. */
        CHANGE,
        /** {@link Access#authorizeAndRecord}. */
        RECORD,
        /** {@link Access#authorizeRead}. */
        READ,
        /** {@link Access#decideTool}. */
        TOOL,
        /** Creating, revoking and listing tokens. */
        TOKENS
    }

    /** One request and the method that got it. */
    public record Call(Use use, AccessRequest request) {}

    private static final String DECISION_ID = "01J00000000000000000000000";

    private final Set<Use> expected;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final List<ToolPolicyRequest> toolRequests = new CopyOnWriteArrayList<>();
    private final List<Credential> credentials = new CopyOnWriteArrayList<>();
    private final Map<String, Principal> known = new ConcurrentHashMap<>();
    private final Set<String> denied = ConcurrentHashMap.newKeySet();
    private volatile Principal everyCaller; // null unless any credential is accepted
    private volatile String connector = "";
    private volatile RuntimeException failure; // null while authentication works
    private volatile Predicate<AccessRequest> rule = request -> true;
    private volatile Function<ToolPolicyRequest, ToolPolicyDecision> toolRule =
            FakeAccess::withinLimits;
    private volatile DecisionSource source = DecisionSource.BUILT_IN_RULES;
    private volatile String pendingRecord = "";

    /** Allows every request of the uses given. */
    public FakeAccess(Use... expected) {
        this.expected = EnumSet.noneOf(Use.class);
        this.expected.addAll(List.of(expected));
    }

    /** Returns one that decides tool calls only, each tool of the agent's list within its limit. */
    public static FakeAccess forTools() {
        return new FakeAccess(Use.TOOL);
    }

    /** Returns a user with these groups and no scopes. */
    public static Principal user(String id, String... groups) {
        return principal(id, Set.of(groups), "token");
    }

    private static Principal principal(String id, Set<String> groups, String credentialId) {
        return new Principal(id, PrincipalKind.USER, groups, Set.of(), credentialId);
    }

    /** Accepts an API token, or the SHA-256 of a client certificate, as a principal's. */
    public FakeAccess knows(String credential, Principal principal) {
        known.put(credential, principal);
        return this;
    }

    /** Accepts a token or certificate as a user's, with the credential id {@code of <id>}. */
    public FakeAccess knows(String credential, String id) {
        return knows(credential, principal(id, Set.of(), "of " + id));
    }

    /** Revokes a token or certificate. */
    public void revoke(String credential) {
        known.remove(credential);
    }

    /** Accepts every credential as this principal's. */
    public FakeAccess as(Principal principal) {
        everyCaller = principal;
        return this;
    }

    /** Lets one principal speak for users, and for names that begin with its own. */
    public FakeAccess connector(String id) {
        connector = id;
        return this;
    }

    /** Throws {@code thrown} from each authentication; null authenticates again. */
    public void failAuthentication(RuntimeException thrown) {
        failure = thrown;
    }

    /** Denies the action from now on. */
    public FakeAccess deny(String action) {
        denied.add(action);
        return this;
    }

    /** Denies every request that {@code allowed} does not accept. */
    public FakeAccess allowing(Predicate<AccessRequest> allowed) {
        rule = allowed;
        return this;
    }

    /** Decides tool calls with these verdicts. */
    public FakeAccess deciding(Function<ToolPolicyRequest, Verdict> verdicts) {
        return answering(request -> answer(verdicts.apply(request)));
    }

    /** Decides tool calls with these answers. */
    public FakeAccess answering(Function<ToolPolicyRequest, ToolPolicyDecision> answers) {
        toolRule = answers;
        return this;
    }

    /** Gives permits this source from now on. */
    public FakeAccess source(DecisionSource decisionSource) {
        source = decisionSource;
        return this;
    }

    /** Gives permits of the emergency list, whose record is not durable yet as the text says. */
    public FakeAccess breakGlass(String pendingRecordText) {
        pendingRecord = pendingRecordText;
        return source(DecisionSource.BREAK_GLASS);
    }

    /** Returns the calls about actions, oldest first. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns the requests about actions, oldest first. */
    public List<AccessRequest> requests() {
        return calls.stream().map(Call::request).toList();
    }

    /** Returns the actions whose decision was to be recorded, oldest first. */
    public List<String> recordedActions() {
        return calls.stream()
                .filter(call -> call.use() != Use.READ)
                .map(call -> call.request().action())
                .toList();
    }

    /** Forgets the calls about actions. */
    public void forgetCalls() {
        calls.clear();
    }

    /** Returns the requests about tool calls, oldest first. */
    public List<ToolPolicyRequest> toolRequests() {
        return List.copyOf(toolRequests);
    }

    /** Returns the credentials that were presented, oldest first. */
    public List<Credential> credentials() {
        return List.copyOf(credentials);
    }

    private void expect(Use use) {
        if (!expected.contains(use)) {
            throw new UnsupportedOperationException("the test expects no use " + use);
        }
    }

    @Override
    public Principal authenticate(Credential credential) {
        expect(Use.AUTHENTICATE);
        credentials.add(credential);
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        Principal found =
                everyCaller != null
                        ? everyCaller
                        : switch (credential) {
                            case Credential.ApiToken token -> known.get(token.secret());
                            case Credential.ClientCertificate own -> known.get(own.sha256());
                            case Credential.LocalPeer peer -> null;
                        };
        if (found == null) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED, "The credential is unknown, expired or revoked.");
        }
        return found;
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        expect(Use.SPEAK_FOR);
        boolean own = principalId.startsWith("user:") || principalId.startsWith(connector + ":");
        if (!speaker.id().equals(connector) || !own) {
            throw new PalyraException(
                    ErrorCode.DENIED, speaker.id() + " may not speak for " + principalId + ".");
        }
        return principal(principalId, Set.of(), speaker.credentialId());
    }

    private Permit decide(Use use, AccessRequest request) {
        expect(use);
        calls.add(new Call(use, request));
        if (denied.contains(request.action()) || !rule.test(request)) {
            throw new PalyraException(
                    ErrorCode.DENIED, "Policy does not allow " + request.action() + ".");
        }
        return new Permit(
                DECISION_ID,
                request.principal(),
                request.action(),
                request.resource(),
                source,
                "test",
                System.currentTimeMillis());
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        Permit permit = decide(Use.CHANGE, request);
        String payload = "{\"action\":\"" + request.action() + "\"}";
        return new Authorized(
                permit,
                new Operation.Append(
                        "journal", "access_decision", 1, payload.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        return decide(Use.RECORD, request);
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        return decide(Use.READ, request);
    }

    @Override
    public Optional<String> recordWaits(Permit permit) {
        return Optional.of(pendingRecord).filter(text -> !text.isEmpty());
    }

    @Override
    public Set<String> breakGlassActions() {
        return Set.of();
    }

    @Override
    public ToolPolicyDecision decideTool(ToolPolicyRequest request) {
        expect(Use.TOOL);
        toolRequests.add(request);
        return toolRule.apply(request);
    }

    private static ToolPolicyDecision withinLimits(ToolPolicyRequest request) {
        boolean allowed =
                request.descriptor() != null
                        && request.agentTools().contains(request.toolName())
                        && request.budgetLeft() > 0;
        return answer(allowed ? Verdict.ALLOW : Verdict.DENY);
    }

    private static ToolPolicyDecision answer(Verdict verdict) {
        return new ToolPolicyDecision(
                verdict,
                "test.rule",
                "The test says " + verdict + ".",
                "BUILT_IN_RULES",
                List.of("test.rule"),
                "{\"allowed_tools\":[],\"max_calls_per_run\":4}");
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        expect(Use.TOKENS);
        long expires = ttlMillis == 0 ? 0 : 1_000 + ttlMillis;
        return new IssuedToken(token(label, principal, groups, scopes, expires), "palyra_secret");
    }

    private static TokenView token(
            String label, String principal, Set<String> groups, Set<String> scopes, long expires) {
        return new TokenView(
                "01J0000000000000000000000T", label, principal, groups, scopes, 1_000, expires, 0);
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        expect(Use.TOKENS);
        return new TokenView(tokenId, "old", "user:x", Set.of(), Set.of(), 1, 0, 2_000);
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        expect(Use.TOKENS);
        permit.requireFor("access.token.list", System.currentTimeMillis());
        return List.of(token("ci", "service:ci", Set.of("integrator"), Set.of("run.*"), 0));
    }
}
