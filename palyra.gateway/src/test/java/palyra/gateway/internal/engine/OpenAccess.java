package palyra.gateway.internal.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Credential;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * An access control of which the engine uses tool decisions only: every offered tool on the agent's
 * list may be called within budget.
 */
class OpenAccess implements Access {
    private static final String SNAPSHOT = "{\"allowed_tools\":[],\"max_calls_per_run\":4}";

    private final List<ToolQuestion> asked = new CopyOnWriteArrayList<>();
    private volatile Function<ToolQuestion, Verdict> rule =
            question ->
                    question.descriptor() != null
                                    && question.agentTools().contains(question.toolName())
                                    && question.budgetLeft() > 0
                            ? Verdict.ALLOW
                            : Verdict.DENY;

    private volatile Function<ToolQuestion, ToolAnswer> answer = this::byRule;

    OpenAccess deciding(Function<ToolQuestion, Verdict> decide) {
        rule = decide;
        return this;
    }

    /** Gives whole answers instead. */
    OpenAccess answering(Function<ToolQuestion, ToolAnswer> answers) {
        answer = answers;
        return this;
    }

    /** Returns what it was asked, oldest first. */
    List<ToolQuestion> asked() {
        return asked;
    }

    @Override
    public ToolAnswer decideTool(ToolQuestion question) {
        asked.add(question);
        return answer.apply(question);
    }

    private ToolAnswer byRule(ToolQuestion question) {
        Verdict verdict = rule.apply(question);
        return new ToolAnswer(
                verdict,
                "test.rule",
                "The test says " + verdict + ".",
                "BUILT_IN_RULES",
                List.of("test.rule"),
                SNAPSHOT);
    }

    private static PalyraException unused() {
        return new PalyraException(ErrorCode.DENIED, "The engine asks about tools only.");
    }

    @Override
    public Principal authenticate(Credential credential) {
        throw unused();
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        throw unused();
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        throw unused();
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        throw unused();
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        throw unused();
    }

    @Override
    public Set<String> breakGlassActions() {
        return Set.of();
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        throw unused();
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        throw unused();
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        throw unused();
    }
}
