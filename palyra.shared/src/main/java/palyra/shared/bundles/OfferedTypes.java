package palyra.shared.bundles;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** The types of the services that each bundle offers at one moment. */
final class OfferedTypes {
    private final Map<Long, Set<String>> types = new HashMap<>();

    static OfferedTypes read(BundleContext system) {
        OfferedTypes all = new OfferedTypes();
        for (ServiceReference<?> service : services(system)) {
            all.types
                    .computeIfAbsent(bundleId(service), id -> new HashSet<>())
                    .addAll(List.of((String[]) service.getProperty(Constants.OBJECTCLASS)));
        }
        return all;
    }

    private static ServiceReference<?>[] services(BundleContext system) {
        try {
            ServiceReference<?>[] found = system.getAllServiceReferences(null, null);
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whose service it is or was. */
    static long bundleId(ServiceReference<?> service) {
        return (Long) service.getProperty(Constants.SERVICE_BUNDLEID);
    }

    Set<String> by(long bundleId) {
        return types.getOrDefault(bundleId, Set.of());
    }
}
