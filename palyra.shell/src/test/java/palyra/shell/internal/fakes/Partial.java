package palyra.shell.internal.fakes;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Makes an interface from an object that has the few methods a test needs; any other call fails the
 * test.
 */
public final class Partial {
    private Partial() {}

    public static <T> T of(Class<T> type, Object methods) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                call(type, methods, proxy, method, arguments)));
    }

    private static Object call(
            Class<?> type, Object methods, Object proxy, Method method, Object[] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "partial " + type.getSimpleName();
            };
        }
        try {
            Method own = methods.getClass().getMethod(method.getName(), method.getParameterTypes());
            own.setAccessible(true);
            return own.invoke(methods, arguments);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("unexpected call of " + method, e);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
