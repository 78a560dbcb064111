package palyra.sandbox.internal.process;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import palyra.sandbox.internal.run.SandboxConfiguration;
import palyra.sandbox.internal.run.SandboxSettings;

/** Configurations for tests. */
public final class Configurations {
    private Configurations() {}

    /** Returns the defaults with some values in their place. */
    public static SandboxConfiguration of(Map<String, ?> values) {
        return (SandboxConfiguration)
                Proxy.newProxyInstance(
                        Configurations.class.getClassLoader(),
                        new Class<?>[] {SandboxConfiguration.class},
                        (proxy, method, arguments) ->
                                values.containsKey(method.getName())
                                        ? values.get(method.getName())
                                        : method.getDefaultValue());
    }

    /** Returns settings with time enough for a busy machine. */
    public static SandboxSettings settings(Path workspaces, Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.putIfAbsent("wallMillis", 120_000L);
        all.putIfAbsent("backgroundWallMillis", 120_000L);
        return SandboxSettings.from(of(all), workspaces);
    }
}
