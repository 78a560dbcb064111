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
 * Failures of components with their configuration. A component that refuses a change keeps its
 * previous configuration, and the component runtime only logs that: the log entry becomes a problem
 * of the configuration until the next change. The component runtime does not retry a failed
 * activation: {@link #revive} does when the configuration changes. Thread-safe.
 */
final class ComponentOutcomes implements LogListener {
    private static final Logger LOG = LoggerFactory.getLogger(ComponentOutcomes.class);
    private static final String REFUSED = "modified method";
    private static final String UNKNOWN = "the log has the reason (palyra logs).";
    private static final String OURS = PalyraException.class.getName() + ": ";

    private final AtomicReference<ServiceComponentRuntime> runtime = new AtomicReference<>();
    private final Map<String, Problem> refused = new ConcurrentHashMap<>(); // by PID

    /** Sets the component runtime. */
    void add(ServiceComponentRuntime present) {
        runtime.set(present);
    }

    /** Removes the component runtime unless it was replaced. */
    void remove(ServiceComponentRuntime gone) {
        runtime.compareAndSet(gone, null);
    }

    /** Returns the refusals of components since the last change of each configuration. */
    List<Problem> problems() {
        return List.copyOf(refused.values());
    }

    /** Removes the problems of a configuration that is about to change. */
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
                                    + ", which keeps the previous one: "
                                    + reason(thrown),
                            "Correct it where palyra config show "
                                    + pid
                                    + " shows its source; the change applies automatically."));
        }
    }

    /**
     * Only a PalyraException has a message for users. The log service replaces exceptions by its
     * own, whose message begins with the original class name.
     */
    private static String reason(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = Objects.toString(cause.getMessage(), "");
            if (cause instanceof PalyraException) {
                return sentence(message);
            }
            if (message.startsWith(OURS)) {
                return sentence(message.substring(OURS.length()));
            }
        }
        return UNKNOWN;
    }

    /** As above, of a stack trace; the innermost cause is the last. */
    private static String reason(String trace) {
        int at = Objects.toString(trace, "").lastIndexOf(OURS);
        return at < 0
                ? UNKNOWN
                : sentence(trace.substring(at + OURS.length()).lines().findFirst().orElse(""));
    }

    private static String sentence(String message) {
        return message.endsWith(".") ? message : message + ".";
    }

    /** Restarts components whose activation failed, after a change of their configuration. */
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

    /** Returns whether a component that a configuration is for failed to start. */
    boolean failed(Target target) {
        return failure(target).isPresent();
    }

    private Optional<ComponentConfigurationDTO> failure(Target target) {
        return configurations(target)
                .filter(one -> one.state == ComponentConfigurationDTO.FAILED_ACTIVATION)
                .findAny();
    }

    private Stream<ComponentConfigurationDTO> configurations(Target target) {
        ServiceComponentRuntime present = runtime.get();
        return present == null
                ? Stream.empty()
                : present.getComponentDescriptionDTOs().stream()
                        .filter(component -> configuredBy(component, target))
                        .flatMap(one -> present.getComponentConfigurationDTOs(one).stream())
                        .filter(one -> !target.isInstance() || isOf(one, target));
    }

    private static boolean isOf(ComponentConfigurationDTO one, Target target) {
        return target.toString().equals(one.properties.get(AdminConfigurationSink.MARK));
    }

    /** Returns whether a component refused the configuration in force. */
    boolean refused(Target target) {
        return refused.containsKey(target.pid()) || failed(target);
    }

    /** Returns why a component refused the configuration in force. */
    String refusal(Target target) {
        Problem kept = refused.get(target.pid());
        return kept != null
                ? kept.message()
                : "The configuration of "
                        + target
                        + " was refused by a component, which failed to start: "
                        + failure(target).map(one -> reason(one.failure)).orElse(UNKNOWN);
    }

    /** Returns whether no component that a configuration is for refused it, or has yet to begin. */
    boolean taken(Target target) {
        return !refused.containsKey(target.pid())
                && configurations(target)
                        .allMatch(
                                one ->
                                        one.state == ComponentConfigurationDTO.ACTIVE
                                                || one.state
                                                        == ComponentConfigurationDTO.SATISFIED);
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
