package palyra.launcher;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Stops bundles that use services before those that offer them, so that a stopping bundle can
 * still, for example, return a lease. The framework itself would stop in installation order. Runs
 * before every stop of the framework.
 */
final class StopOrder implements SynchronousBundleListener {
    private final BundleContext context;

    StopOrder(BundleContext context) {
        this.context = context;
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        boolean framework = event.getBundle().getBundleId() == 0;
        if (framework && event.getType() == BundleEvent.STOPPING) {
            stopAll();
        }
    }

    private void stopAll() {
        List<Bundle> left = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            boolean ours = String.valueOf(bundle.getSymbolicName()).startsWith("palyra.");
            if (ours && bundle.getState() == Bundle.ACTIVE) {
                left.add(bundle);
            }
        }
        while (!left.isEmpty()) {
            Bundle next = left.stream().min(Comparator.comparingInt(b -> users(b, left))).get();
            left.remove(next);
            stop(next);
        }
    }

    /**
     * How many of {@code others} use a service of {@code bundle}; in a circle the least used goes.
     */
    private static int users(Bundle bundle, List<Bundle> others) {
        Set<Bundle> users = new HashSet<>();
        ServiceReference<?>[] offered = bundle.getRegisteredServices();
        for (ServiceReference<?> service : offered == null ? new ServiceReference<?>[0] : offered) {
            Bundle[] using = service.getUsingBundles();
            if (using != null) {
                users.addAll(List.of(using));
            }
        }
        users.retainAll(others);
        users.remove(bundle);
        return users.size();
    }

    private static void stop(Bundle bundle) {
        try {
            bundle.stop(Bundle.STOP_TRANSIENT);
        } catch (BundleException e) {
            System.err.println(
                    "palyra: "
                            + bundle.getSymbolicName()
                            + " did not stop cleanly: "
                            + Problems.oneLine(e));
        }
    }
}
