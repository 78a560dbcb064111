package palyra.launcher;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Copies warnings and errors of the OSGi log service into the log file, for example the reason why
 * a component failed in its constructor. The service drops lower levels at the source (OSGi
 * Compendium 101.5.3). Felix Logback 1.0.6 is not used: logback 1.5 silently loses its events. The
 * service is used by reflection: the launcher shares no class with the bundle that implements it.
 * Never throws.
 */
final class FrameworkLog {
    private static final String READER = "org.osgi.service.log.LogReaderService";
    private static final String LISTENER = "org.osgi.service.log.LogListener";
    private static final String ENTRY = "org.osgi.service.log.LogEntry";

    /** Loggers of service and bundle events, which are not copied. */
    private static final String EVENTS = "Events.";

    /** What others meet because a component failed, which is in the log itself. */
    private static final List<String> ECHOES =
            List.of(
                    "Could not get service from ref",
                    "Service not available from service registry",
                    "FrameworkEvent ERROR org.osgi.framework.ServiceException");

    /** A component that fails is asked for by everything that waits for it. */
    private static final long SAME_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(FrameworkLog.class);

    private FrameworkLog() {}

    /** Listens to every log reader service from now on, until the framework stops. */
    static void follow(BundleContext context) {
        // Any version of the service: it is used by reflection only.
        new ServiceTracker<>(context, READER, new ReaderTracker(context)).open(true);
    }

    /** A log reader service and the listener that it was given. */
    private record Subscription(Object reader, Object listener, Class<?> listenerType) {}

    private record ReaderTracker(BundleContext context)
            implements ServiceTrackerCustomizer<Object, Subscription> {
        @Override
        public Subscription addingService(ServiceReference<Object> reference) {
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
                return new Subscription(reader, listener, type);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                LOG.warn("The log of the component runtime is not in this file", e);
                return null;
            }
        }

        @Override
        public void modifiedService(ServiceReference<Object> reference, Subscription subscription) {
            // its properties say nothing
        }

        @Override
        public void removedService(ServiceReference<Object> reference, Subscription subscription) {
            try {
                subscription
                        .listenerType()
                        .getClassLoader()
                        .loadClass(READER)
                        .getMethod("removeLogListener", subscription.listenerType())
                        .invoke(subscription.reader(), subscription.listener());
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
        private final Map<String, Long> failures = new HashMap<>(); // nanos by text, for a while

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
            Throwable cause = (Throwable) problem.invoke(entry);
            String said = String.valueOf(message.invoke(entry));
            Level heard = isEcho(category, said, cause) ? Level.DEBUG : at;
            Logger to = LoggerFactory.getLogger(category);
            if (to.isEnabledForLevel(heard)) {
                String text = text((Bundle) bundle.invoke(entry), said);
                to.atLevel(heard).setCause(cause).log(text + reason(cause));
            }
        }

        private boolean isEcho(String category, String said, Throwable cause) {
            String all = said + " " + (cause == null ? "" : cause.getMessage());
            return ECHOES.stream().anyMatch(all::contains)
                    || (cause != null && isRecent(category + " " + said + reason(cause)));
        }

        private synchronized boolean isRecent(String failure) {
            long now = System.nanoTime();
            failures.values().removeIf(then -> now - then > SAME_NANOS);
            return failures.putIfAbsent(failure, now) != null;
        }

        /** The service replaces exceptions by its own, whose messages begin with the class. */
        private static String reason(Throwable cause) {
            Throwable innermost = cause;
            while (innermost != null && innermost.getCause() != null) {
                innermost = innermost.getCause();
            }
            return innermost == null || innermost.getMessage() == null
                    ? ""
                    : ": " + innermost.getMessage().lines().findFirst().orElse("");
        }

        /** Adds the bundle name unless the message has it already. */
        private static String text(Bundle bundle, String message) {
            String name = bundle == null ? null : bundle.getSymbolicName();
            return name == null || message.contains(name) ? message : name + ": " + message;
        }

        /** AUDIT is always written; an unknown level counts as a warning. */
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
