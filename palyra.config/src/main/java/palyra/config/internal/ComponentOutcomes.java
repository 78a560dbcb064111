package palyra.config.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.log.LogEntry;
import org.osgi.service.log.LogLevel;
import org.osgi.service.log.LogListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;

/**
 * What components make of a configuration that was handed to them. A component that refuses a
 * change goes on with what it had, and tells the component runtime alone, which logs it: that entry
 * becomes a problem of the configuration, until it is changed again. A component whose activation
 * failed is not tried again by the component runtime: it is here, when its configuration changed.
 * Thread-safe.
 */
final class ComponentOutcomes implements LogListener {
    private static final Logger LOG = LoggerFactory.getLogger(ComponentOutcomes.class);
    private static final String REFUSED = "modified method";
    private static final String OURS = PalyraException.class.getName() + ": ";

    private final AtomicReference<ServiceComponentRuntime> runtime = new AtomicReference<>();
    private final Map<String, Problem> refused = new ConcurrentHashMap<>(); // by PID

    /** There is this component runtime from now on. */
    void add(ServiceComponentRuntime present) {
        runtime.set(present);
    }

    /** It is gone, unless another one came before that. */
    void remove(ServiceComponentRuntime gone) {
        runtime.compareAndSet(gone, null);
    }

    /** Returns what components refused and was not changed since. */
    List<Problem> problems() {
        return List.copyOf(refused.values());
    }

    /** A configuration is about to change: what was said about the one before is over. */
    void forget(Target target) {
        refused.remove(target.pid());
    }

    @Override
    public void logged(LogEntry entry) {
        String message = entry.getMessage();
        if (entry.getLogLevel() != LogLevel.ERROR
                || entry.getException() == null
                || message == null
                || !message.contains(REFUSED)) {
            return;
        }
        ServiceComponentRuntime present = runtime.get();
        if (present == null) {
            return;
        }
        present.getComponentDescriptionDTOs(entry.getBundle()).stream()
                .filter(one -> one.implementationClass.equals(entry.getLoggerName()))
                .forEach(one -> refused(one, entry.getException()));
    }

    private void refused(ComponentDescriptionDTO component, Throwable thrown) {
        for (String pid : component.configurationPid) {
            refused.put(
                    pid,
                    Problem.error(
                            pid,
                            "The configuration of "
                                    + pid
                                    + " was refused by "
                                    + component.name
                                    + ", which goes on with the one before: "
                                    + reason(thrown),
                            "Correct it where palyra config show "
                                    + pid
                                    + " says it comes from; it is taken by itself."));
        }
    }

    /**
     * Only our own exceptions have messages that are meant for people. The log service puts
     * exceptions of its own in their place, whose message begins with the name of the class.
     */
    private static String reason(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = Objects.toString(cause.getMessage(), "");
            if (cause instanceof PalyraException) {
                return message;
            }
            if (message.startsWith(OURS)) {
                return message.substring(OURS.length());
            }
        }
        return "the log says why.";
    }

    /** Has components begin again that failed to, now that their configuration has changed. */
    void revive(Target target) {
        ServiceComponentRuntime present = runtime.get();
        if (present == null) {
            return;
        }
        for (ComponentDescriptionDTO component : present.getComponentDescriptionDTOs()) {
            if (configuredBy(component, target) && failed(present, component).isPresent()) {
                LOG.info("{} failed to start and is tried again.", component.name);
                present.disableComponent(component);
                present.enableComponent(component);
            }
        }
    }

    private static boolean configuredBy(ComponentDescriptionDTO component, Target target) {
        return Arrays.asList(component.configurationPid).contains(target.pid());
    }

    private static Optional<ComponentConfigurationDTO> failed(
            ServiceComponentRuntime runtime, ComponentDescriptionDTO component) {
        Stream<ComponentConfigurationDTO> all =
                runtime.getComponentConfigurationDTOs(component).stream();
        return all.filter(one -> one.state == ComponentConfigurationDTO.FAILED_ACTIVATION)
                .findAny();
    }
}
