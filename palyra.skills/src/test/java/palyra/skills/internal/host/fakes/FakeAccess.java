package palyra.skills.internal.host.fakes;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyAnswer;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeRecord;

/** Access control that allows what nobody told it to deny, and remembers what it was asked. */
public final class FakeAccess {
    /** Questions about actions, oldest first. */
    public final List<AccessRequest> asked = new CopyOnWriteArrayList<>();

    /** Questions about tools, oldest first. */
    public final List<ToolQuestion> tools = new CopyOnWriteArrayList<>();

    private final Set<String> denied = ConcurrentHashMap.newKeySet();
    private volatile Confinement confinement =
            new Confinement(Confinement.Tier.A, Confinement.Egress.STRICT);
    private volatile Function<ToolQuestion, Verdict> verdict = question -> Verdict.ALLOW;

    /** Denies an action from now on. */
    public FakeAccess deny(String action) {
        denied.add(action);
        return this;
    }

    /** Wants at least this confinement for tools. */
    public void confine(Confinement wanted) {
        confinement = wanted;
    }

    /** Decides about tools in another way. */
    public void decide(Function<ToolQuestion, Verdict> rule) {
        verdict = rule;
    }

    /** Returns the service. */
    public Access service() {
        return (Access)
                Proxy.newProxyInstance(
                        FakeAccess.class.getClassLoader(),
                        new Class<?>[] {Access.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "authorize" -> authorized((AccessRequest) arguments[0]);
                                    case "authorizeRead", "authorizeAndRecord" ->
                                            permit((AccessRequest) arguments[0]);
                                    case "decideTool" -> decide((ToolQuestion) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private Permit permit(AccessRequest request) {
        asked.add(request);
        if (denied.contains(request.action())) {
            throw new PalyraException(
                    ErrorCode.DENIED, "Policy does not allow " + request.action() + ".");
        }
        return new Permit(
                "01J00000000000000000000000",
                request.principal(),
                request.action(),
                request.resource(),
                DecisionSource.POLICY,
                "test",
                System.currentTimeMillis());
    }

    private Authorized authorized(AccessRequest request) {
        Permit permit = permit(request);
        return new Authorized(
                permit,
                new Operation.Append(
                        TapeRecord.JOURNAL_STREAM,
                        "access_decision",
                        1,
                        ("{\"action\":\"" + request.action() + "\"}")
                                .getBytes(StandardCharsets.UTF_8)));
    }

    private ToolAnswer decide(ToolQuestion question) {
        tools.add(question);
        Verdict answer = verdict.apply(question);
        PolicyAnswer policy =
                new PolicyAnswer(
                        answer == Verdict.ALLOW
                                ? PolicyAnswer.Outcome.ALLOW
                                : PolicyAnswer.Outcome.DENY,
                        "policy.test",
                        "The test says " + answer + ".",
                        "",
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        confinement,
                        PolicyAnswer.Confirmation.NOT_NEEDED,
                        "0".repeat(64),
                        1,
                        "{}");
        return new ToolAnswer(
                answer,
                "policy.test",
                "The test says " + answer + ".",
                "POLICY",
                List.of(),
                "{}",
                Optional.of(policy));
    }
}
