package palyra.deploy.internal;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Operation;

/** Allows operators everything and others nothing; keeps what was asked. */
final class FakeAccess {
    final List<AccessRequest> asked = new CopyOnWriteArrayList<>();

    Access service() {
        return (Access)
                Proxy.newProxyInstance(
                        FakeAccess.class.getClassLoader(),
                        new Class<?>[] {Access.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "authorize" -> authorize((AccessRequest) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private Authorized authorize(AccessRequest request) {
        asked.add(request);
        if (!request.principal().in("operator")) {
            throw new PalyraException(ErrorCode.DENIED, "No: " + request.action() + ".");
        }
        Permit permit =
                new Permit(
                        "01J00000000000000000000000",
                        request.principal(),
                        request.action(),
                        request.resource(),
                        DecisionSource.BUILT_IN_RULES,
                        "test",
                        System.currentTimeMillis());
        return new Authorized(
                permit,
                new Operation.Append("journal", "access_decision", 1, new byte[] {'{', '}'}));
    }
}
