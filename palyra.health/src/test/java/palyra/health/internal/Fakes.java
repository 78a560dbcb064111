package palyra.health.internal;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;

/** Makes implementations of large interfaces of which a test needs a few methods. */
final class Fakes {
    private Fakes() {}

    /** Returns access control with two tokens: an operator, and a user who may do nothing. */
    static FakeAccess access() {
        return new FakeAccess(Use.AUTHENTICATE, Use.READ)
                .knows("palyra_operator", FakeAccess.user("user:operator", "operator"))
                .knows("palyra_nobody", FakeAccess.user("user:nobody"))
                .allowing(request -> request.principal().in("operator"));
    }

    /** Methods that are not listed throw, apart from those of Object. */
    static <T> T of(Class<T> type, Map<String, Function<Object[], Object>> methods) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            Function<Object[], Object> known = methods.get(method.getName());
                            if (known != null) {
                                return known.apply(arguments);
                            }
                            return switch (method.getName()) {
                                case "hashCode" -> System.identityHashCode(proxy);
                                case "equals" -> proxy == arguments[0];
                                case "toString" -> "fake " + type.getSimpleName();
                                default ->
                                        throw new UnsupportedOperationException(method.toString());
                            };
                        }));
    }
}
