package palyra.shell.internal.fakes;

import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** Service references without a framework. */
@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
public final class Services {
    private Services() {}

    public static <T> ServiceReference<T> reference(
            Class<T> type, T service, long id, int ranking) {
        return reference(Map.of("service.id", id, "service.ranking", ranking), "test.bundle");
    }

    @SuppressWarnings("unchecked") // only properties and bundle are asked for
    private static <T> ServiceReference<T> reference(Map<String, Object> properties, String name) {
        Bundle bundle =
                Partial.of(
                        Bundle.class,
                        new Object() {
                            public String getSymbolicName() {
                                return name;
                            }
                        });
        Map<String, Object> copy = Map.copyOf(properties);
        return Partial.of(
                ServiceReference.class,
                new Object() {
                    public Object getProperty(String key) {
                        return copy.get(key);
                    }

                    public Bundle getBundle() {
                        return bundle;
                    }
                });
    }
}
