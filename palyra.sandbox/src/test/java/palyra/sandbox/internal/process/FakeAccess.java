package palyra.sandbox.internal.process;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;

/** Allows what it is told to; keeps what was asked. */
public final class FakeAccess {
    public final List<AccessRequest> asked = new CopyOnWriteArrayList<>();
    public final List<ToolQuestion> questions = new CopyOnWriteArrayList<>();
    public volatile Set<String> denied = Set.of();
    public volatile Function<ToolQuestion, ToolAnswer> answers;

    /** Returns the service. */
    public Access service() {
        return (Access)
                Proxy.newProxyInstance(
                        FakeAccess.class.getClassLoader(),
                        new Class<?>[] {Access.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "authorizeRead" -> read((AccessRequest) arguments[0]);
                                    case "decideTool" -> decide((ToolQuestion) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private Permit read(AccessRequest request) {
        asked.add(request);
        if (denied.contains(request.resource())) {
            throw new PalyraException(ErrorCode.DENIED, "No: " + request.resource() + ".");
        }
        return new Permit(
                "01J00000000000000000000000",
                request.principal(),
                request.action(),
                request.resource(),
                DecisionSource.BUILT_IN_RULES,
                "test",
                System.currentTimeMillis());
    }

    private ToolAnswer decide(ToolQuestion question) {
        questions.add(question);
        return answers.apply(question);
    }
}
