package palyra.launcher;

import java.util.function.UnaryOperator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import palyra.shared.secrets.KnownValues;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.secrets.SecretShapes;
import palyra.shared.secrets.SecretText;

/**
 * Redacts secrets in the log: by shape, and those known to services with the property {@value
 * #PROPERTY}. Static, because the logging library creates the converters. Never throws; a line that
 * cannot be checked is left out. Thread-safe.
 */
final class LogRedaction {
    /** Property, with the value {@code true}, of a {@code UnaryOperator<String>} service. */
    static final String PROPERTY = "palyra.log.redactor";

    /** Replacement for a text that could not be checked. */
    static final String WITHHELD = "(left out: it could not be checked for secrets)";

    private static final UnaryOperator<String> NOTHING = text -> text;
    private static final ThreadLocal<Boolean> BUSY = new ThreadLocal<>();
    private static volatile UnaryOperator<String> known = NOTHING;

    private LogRedaction() {}

    /** Tracks the service until the framework stops. */
    static void follow(BundleContext context) {
        try {
            new ServiceTracker<>(
                            context,
                            context.createFilter(
                                    "(&(objectClass="
                                            + UnaryOperator.class.getName()
                                            + ")("
                                            + PROPERTY
                                            + "=true))"),
                            new RedactorTracker(context))
                    .open();
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException("a constant filter", e);
        }
    }

    /** Tracks the service; never called while a line is written. */
    private record RedactorTracker(BundleContext context)
            implements ServiceTrackerCustomizer<Object, UnaryOperator<String>> {
        @Override
        @SuppressWarnings("unchecked") // the property promises text
        public UnaryOperator<String> addingService(ServiceReference<Object> reference) {
            UnaryOperator<String> arrived = (UnaryOperator<String>) context.getService(reference);
            if (arrived != null) {
                known = arrived;
            }
            return arrived;
        }

        @Override
        public void modifiedService(ServiceReference<Object> reference, UnaryOperator<String> one) {
            // its values are not logged
        }

        @Override
        public void removedService(ServiceReference<Object> reference, UnaryOperator<String> one) {
            if (known == one) {
                known = NOTHING;
            }
            context.ungetService(reference);
        }
    }

    /** Returns a text without secrets. */
    static String of(String text) {
        if (text == null || text.isEmpty() || Boolean.TRUE.equals(BUSY.get())) {
            return text == null ? "" : shapes(text);
        }
        BUSY.set(true);
        try {
            return shapes(known.apply(text));
        } catch (RuntimeException | LinkageError e) {
            return WITHHELD;
        } finally {
            BUSY.remove();
        }
    }

    private static String shapes(String text) {
        try {
            return SecretText.redact(
                            text,
                            SecretShapes.standard(),
                            KnownValues.NONE,
                            PlaceholderNumbers.fresh())
                    .text();
        } catch (RuntimeException | LinkageError e) {
            return WITHHELD;
        }
    }
}
