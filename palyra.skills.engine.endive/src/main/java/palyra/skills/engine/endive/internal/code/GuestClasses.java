package palyra.skills.engine.endive.internal.code;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import run.endive.runtime.Instance;
import run.endive.runtime.Machine;

/**
 * Loads the classes that one module was compiled to, which were checked before; the JVM verifies
 * them as it does all code that is not the JDK's. They go when nothing has the loader any more.
 */
final class GuestClasses extends ClassLoader {
    private final Map<String, byte[]> files; // of those that are not defined yet

    private GuestClasses(Map<String, byte[]> files) {
        super("palyra-guest", GuestClasses.class.getClassLoader());
        this.files = new ConcurrentHashMap<>(files);
    }

    /**
     * Loads the main class and returns what makes machines of it.
     *
     * @throws LinkageError when the JVM does not take the classes
     * @throws ReflectiveOperationException when the main class is missing or has another type
     */
    static Function<Instance, Machine> machines(String main, Map<String, byte[]> classes)
            throws ReflectiveOperationException {
        GuestClasses loader = new GuestClasses(classes);
        Constructor<? extends Machine> constructor =
                Class.forName(main, true, loader)
                        .asSubclass(Machine.class)
                        .getConstructor(Instance.class);
        return instance -> {
            try {
                return constructor.newInstance(instance);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                if (e.getCause() instanceof Error cause) {
                    throw cause;
                }
                throw new IllegalStateException(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** A name of the module's own is looked for here first: nothing outside can take its place. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            byte[] file = files.remove(name);
            return file == null
                    ? super.loadClass(name, resolve)
                    : defineClass(name, file, 0, file.length);
        }
    }
}
