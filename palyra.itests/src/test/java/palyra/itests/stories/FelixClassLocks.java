package palyra.itests.stories;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Felix 7.0.5 notes in a map of each class loader which thread defines a class, and forgets to
 * remove the note of a thread that lost the race for it. The note keeps that thread, and so the
 * bundle that the thread belonged to. There are few of them, each class is defined once; but they
 * would hide what our own code keeps.
 */
final class FelixClassLocks {
    private FelixClassLocks() {}

    static void forgetDeadThreads(BundleContext context) throws ReflectiveOperationException {
        for (Bundle bundle : context.getBundles()) {
            BundleWiring wiring = bundle.adapt(BundleWiring.class);
            ClassLoader loader = wiring == null ? null : wiring.getClassLoader();
            if (loader != null) {
                notes(loader).values().removeIf(thread -> !((Thread) thread).isAlive());
            }
        }
    }

    private static Map<?, ?> notes(ClassLoader loader) throws ReflectiveOperationException {
        for (Class<?> type = loader.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("m_classLocks")) {
                    field.setAccessible(true);
                    return (Map<?, ?>) field.get(loader);
                }
            }
        }
        return new HashMap<>();
    }
}
