package palyra.transport.openai.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Calls a service on a thread of its own, as if it belonged to another bundle: there every bundle
 * has its own copy of the gate, here all share one, which would take their leases for nested ones.
 */
final class Elsewhere {
    private Elsewhere() {}

    static <T> T of(Class<T> type, T service) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                method.getDeclaringClass() == Object.class
                                        ? method.invoke(service, arguments)
                                        : call(service, method, arguments)));
    }

    private static Object call(Object service, Method method, Object[] arguments) throws Throwable {
        CompletableFuture<Object> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> complete(result, service, method, arguments));
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause();
        }
    }

    private static void complete(
            CompletableFuture<Object> result, Object service, Method method, Object[] arguments) {
        try {
            result.complete(method.invoke(service, arguments));
        } catch (InvocationTargetException e) {
            result.completeExceptionally(e.getCause());
        } catch (IllegalAccessException | RuntimeException e) {
            result.completeExceptionally(e);
        }
    }
}
