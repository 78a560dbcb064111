package palyra.sandbox.posix.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Runs the {@code @Test} methods of the named classes and prints one line for each, for a JVM that
 * has another user than the build.
 */
public final class CaseRunner {
    static final String OK = "case-ok ";
    static final String ABORTED = "case-aborted ";
    static final String FAILED = "case-failed ";

    private CaseRunner() {}

    public static void main(String[] classes) throws Exception {
        for (String name : classes) {
            String[] parts = name.split("#");
            Class<?> type = Class.forName(parts[0]);
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                boolean asked = parts.length < 2 || parts[1].equals(method.getName());
                if (asked && method.isAnnotationPresent(Test.class)) {
                    run(type, method);
                }
            }
        }
        System.exit(0);
    }

    private static void run(Class<?> type, Method method) throws ReflectiveOperationException {
        String name = type.getSimpleName() + "." + method.getName();
        long begin = System.nanoTime();
        try {
            method.setAccessible(true);
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            method.invoke(constructor.newInstance());
            long millis = (System.nanoTime() - begin) / 1_000_000;
            System.out.println(OK + name + " " + millis + "ms");
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof TestAbortedException) {
                System.out.println(ABORTED + name + " " + cause.getMessage());
            } else {
                cause.printStackTrace(System.out);
                String said = String.valueOf(cause).replace('\n', ' ');
                System.out.println(FAILED + name + " " + said);
            }
        }
        System.out.flush();
    }
}
