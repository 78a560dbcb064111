package palyra.sandbox.internal.egress;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;

/** Allows what a test says, and keeps what was asked. */
final class FakeAccess {
    final List<AccessRequest> asked = new CopyOnWriteArrayList<>();
    volatile Predicate<AccessRequest> allows = request -> true;

    Access service() {
        return (Access)
                Proxy.newProxyInstance(
                        FakeAccess.class.getClassLoader(),
                        new Class<?>[] {Access.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "authorizeRead" -> read((AccessRequest) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private Permit read(AccessRequest request) {
        asked.add(request);
        if (!allows.test(request)) {
            throw new PalyraException(ErrorCode.DENIED, "The test says no.");
        }
        return new Permit(
                "01J00000000000000000000000",
                request.principal(),
                request.action(),
                request.resource(),
                DecisionSource.POLICY,
                "the test says yes",
                System.currentTimeMillis());
    }
}
