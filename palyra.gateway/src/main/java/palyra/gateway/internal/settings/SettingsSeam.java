package palyra.gateway.internal.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Gathers what is configured; whoever asks gets one picture. Thread-safe. */
@Component(service = SettingsSeam.class)
public final class SettingsSeam {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Configured> present = new ArrayList<>(); // guarded by lock

    /** Creates it for the component runtime. */
    @Activate
    public SettingsSeam() {}

    /** Returns what is configured now. */
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
