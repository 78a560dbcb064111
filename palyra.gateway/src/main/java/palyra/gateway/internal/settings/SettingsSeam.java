package palyra.gateway.internal.settings;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.ops.FindingSource;

/**
 * Collects the configuration into one consistent snapshot. It also knows which files are in force:
 * the config bundle reports them once it has read the configuration files for the first time.
 * Thread-safe.
 */
@Component(service = SettingsSeam.class)
public final class SettingsSeam {
    /** Property of the config bundle's finding source: PIDs that are in force. */
    static final String IN_FORCE = "palyra.configuration.inForce";

    private static final Pattern OURS =
            Pattern.compile("palyra\\.gateway\\.(model|prompt|price|budget)~.+");

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Configured> present = new ArrayList<>(); // guarded by lock
    private final Map<FindingSource, Set<String>> inForce =
            new IdentityHashMap<>(); // guarded by lock; PIDs of ours by who told

    /** Creates it for the component runtime. */
    @Activate
    public SettingsSeam() {}

    /** Returns the present configuration. */
    public ModelSettings now() {
        lock.lock();
        try {
            return present.isEmpty()
                    ? ModelSettings.NONE
                    : ModelSettings.of(present.stream().map(Configured::setting).toList());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns why the picture is not complete, in words that follow "it waits for"; empty when all
     * is there that the configuration files have.
     */
    public Optional<String> missing() {
        lock.lock();
        try {
            if (inForce.isEmpty()) {
                return Optional.of("the first look at the configuration (palyra.config)");
            }
            Set<String> absent = new TreeSet<>();
            inForce.values().forEach(absent::addAll);
            present.forEach(one -> absent.remove(one.pid()));
            return absent.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", absent));
        } finally {
            lock.unlock();
        }
    }

    /** The config bundle has read the configuration files. */
    @Reference(
            service = FindingSource.class,
            target = "(" + IN_FORCE + "=*)",
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindLooked",
            updated = "updatedLooked")
    public void bindLooked(FindingSource source, Map<String, ?> properties) {
        Set<String> pids = new TreeSet<>();
        if (properties.get(IN_FORCE) instanceof String[] names) {
            Stream.of(names).filter(pid -> OURS.matcher(pid).matches()).forEach(pids::add);
        }
        lock.lock();
        try {
            inForce.put(source, pids);
        } finally {
            lock.unlock();
        }
    }

    /** What is in force changed. */
    public void updatedLooked(FindingSource source, Map<String, ?> properties) {
        bindLooked(source, properties);
    }

    /** The config bundle is gone. */
    public void unbindLooked(FindingSource source) {
        lock.lock();
        try {
            inForce.remove(source);
        } finally {
            lock.unlock();
        }
    }

    /** A setting came. */
    @Reference(
            service = Configured.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindConfigured")
    public void bindConfigured(Configured one) {
        lock.lock();
        try {
            present.add(one);
        } finally {
            lock.unlock();
        }
    }

    /** A setting left. */
    public void unbindConfigured(Configured one) {
        lock.lock();
        try {
            present.remove(one);
        } finally {
            lock.unlock();
        }
    }
}
