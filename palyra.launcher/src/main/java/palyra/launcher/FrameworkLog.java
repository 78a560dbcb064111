package palyra.launcher;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Brings what the component runtime and the framework say to the OSGi log service into the log
 * file: a component that failed in its constructor stands there with its bundle and its reason.
 * What is less than a warning the service drops at its source (OSGi Compendium 101.5.3), and with
 * it an entry for each service and bundle that comes or goes. The bridge that others use (Felix
 * Logback 1.0.6) makes events that logback 1.5 cannot write, and loses every one of them without a
 * word. The service is used by reflection: the launcher shares no class with the bundle that
 * implements it. Never throws.
 */
final class FrameworkLog {
    private static final String READER = "org.osgi.service.log.LogReaderService";
    private static final String LISTENER = "org.osgi.service.log.LogListener";
    private static final String ENTRY = "org.osgi.service.log.LogEntry";

    /** Every service and bundle that comes or goes makes an entry; nobody reads those. */
    private static final String EVENTS = "Events.";

    private static final Logger LOG = LoggerFactory.getLogger(FrameworkLog.class);

    private FrameworkLog() {}

    /** Listens to every log reader service from now on, until the framework stops. */
    static void follow(BundleContext context) {
        // All, because what is used by reflection need not be of the class that we would see.
        new ServiceTracker<>(context, READER, new Arrivals(context)).open(true);
    }

    /** A log reader service and the listener that it was given. */
    private record Heard(Object reader, Object listener, Class<?> listenerType) {}

    private record Arrivals(BundleContext context)
            implements ServiceTrackerCustomizer<Object, Heard> {
        @Override
        public Heard addingService(ServiceReference<Object> reference) {
            try {
                Object reader = context.getService(reference);
                Bundle provider = reference.getBundle();
                if (reader == null || provider == null) {
                    return null;
                }
                Class<?> type = provider.loadClass(LISTENER);
                Object listener =
                        Proxy.newProxyInstance(
                                type.getClassLoader(),
                                new Class<?>[] {type},
                                new Entries(provider.loadClass(ENTRY)));
                provider.loadClass(READER)
                        .getMethod("addLogListener", type)
                        .invoke(reader, listener);
                return new Heard(reader, listener, type);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                LOG.warn("What the component runtime logs is not in this file", e);
                return null;
            }
        }

        @Override
        public void modifiedService(ServiceReference<Object> reference, Heard heard) {
            // its properties say nothing
        }

        @Override
        public void removedService(ServiceReference<Object> reference, Heard heard) {
            try {
                heard.listenerType()
                        .getClassLoader()
                        .loadClass(READER)
                        .getMethod("removeLogListener", heard.listenerType())
                        .invoke(heard.reader(), heard.listener());
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                LOG.debug("The log reader service went first", e);
            }
            context.ungetService(reference);
        }
    }

    /** Takes entries; called by a thread of the log service. */
    private static final class Entries implements InvocationHandler {
        private final Method name;
        private final Method level;
        private final Method message;
        private final Method problem;
        private final Method bundle;

        Entries(Class<?> entry) throws NoSuchMethodException {
            name = entry.getMethod("getLoggerName");
            level = entry.getMethod("getLogLevel");
            message = entry.getMethod("getMessage");
            problem = entry.getMethod("getException");
            bundle = entry.getMethod("getBundle");
        }

        @Override
        public Object invoke(Object self, Method called, Object[] arguments) throws Throwable {
            return switch (called.getName()) {
                case "logged" -> {
                    take(arguments[0]);
                    yield null;
                }
                case "equals" -> self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                default -> "the log file";
            };
        }

        private void take(Object entry) throws ReflectiveOperationException {
            Level at = level(String.valueOf(level.invoke(entry)));
            String category = String.valueOf(name.invoke(entry));
            if (category.startsWith(EVENTS) && at.toInt() < Level.WARN.toInt()) {
                return;
            }
            Logger to = LoggerFactory.getLogger(category);
            if (to.isEnabledForLevel(at)) {
                to.atLevel(at)
                        .setCause((Throwable) problem.invoke(entry))
                        .log(
                                text(
                                        (Bundle) bundle.invoke(entry),
                                        String.valueOf(message.invoke(entry))));
            }
        }

        /** The component runtime names bundle and component itself; not everybody does. */
        private static String text(Bundle bundle, String message) {
            String name = bundle == null ? null : bundle.getSymbolicName();
            return name == null || message.contains(name) ? message : name + ": " + message;
        }

        /** AUDIT is what must be written whatever the level is; an unknown one is a warning. */
        private static Level level(String osgi) {
            return switch (osgi) {
                case "AUDIT", "ERROR" -> Level.ERROR;
                case "INFO" -> Level.INFO;
                case "DEBUG" -> Level.DEBUG;
                case "TRACE" -> Level.TRACE;
                default -> Level.WARN;
            };
        }
    }
}
