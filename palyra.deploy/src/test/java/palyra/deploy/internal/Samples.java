package palyra.deploy.internal;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Settings as tests need them. */
final class Samples {
    static final long MAX_BYTES = 1 << 20;

    private Samples() {}

    /** Returns a configuration with the defaults but for these. */
    static DeployConfiguration configuration(Map<String, Object> values) {
        return (DeployConfiguration)
                Proxy.newProxyInstance(
                        Samples.class.getClassLoader(),
                        new Class<?>[] {DeployConfiguration.class},
                        (proxy, method, arguments) ->
                                values.getOrDefault(method.getName(), method.getDefaultValue()));
    }

    /** Returns settings with the folder {@code deploy} in the state folder. */
    static DeploySettings settings(Path state, String... pins) {
        return new DeploySettings(
                true, "", false, state.resolve("deploy"), true, List.of(pins), MAX_BYTES, 10_000);
    }

    static DeploySettings disabled(Path state) {
        return new DeploySettings(
                false,
                "It is not enabled.",
                false,
                state.resolve("deploy"),
                true,
                List.of(),
                MAX_BYTES,
                10_000);
    }
}
