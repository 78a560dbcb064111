package palyra.channels.internal.route;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** Rules for tests, by the settings that operators write. */
public final class TestRules {
    private TestRules() {}

    /**
     * Returns a rule for every connector that shows no typing, with some settings in their place.
     */
    public static RouteRule rule(String name, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.putIfAbsent("connectors", new String[] {"*"});
        all.putIfAbsent("typing", false);
        RouteConfiguration configuration =
                (RouteConfiguration)
                        Proxy.newProxyInstance(
                                TestRules.class.getClassLoader(),
                                new Class<?>[] {RouteConfiguration.class},
                                (proxy, method, arguments) ->
                                        all.getOrDefault(
                                                method.getName(), method.getDefaultValue()));
        return new RouteComponent(configuration, name).rule();
    }
}
