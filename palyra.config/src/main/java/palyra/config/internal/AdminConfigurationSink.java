package palyra.config.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * Writes to Configuration Admin. Marks its configurations with a private property, which
 * distinguishes them from those of other writers.
 */
final class AdminConfigurationSink implements ConfigurationSink {
    /**
     * Private property (leading dot) that marks a configuration of this bundle and names its
     * target.
     */
    static final String MARK = ".palyra.config.target";

    private static final String ANY_BUNDLE = "?";

    private final ConfigurationAdmin admin;

    AdminConfigurationSink(ConfigurationAdmin admin) {
        this.admin = admin;
    }

    @Override
    public Set<Target> managedTargets() throws IOException {
        return marked("(" + MARK + "=*)").stream()
                .map(c -> String.valueOf(c.getProperties().get(MARK)))
                .flatMap(text -> Target.parse(text).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void put(Target target, Map<String, Object> values) throws IOException {
        Map<String, Object> properties = new HashMap<>();
        values.forEach(
                (key, value) ->
                        properties.put(key, value instanceof ListValue l ? l.toArray() : value));
        properties.put(MARK, target.toString());
        configuration(target).updateIfDifferent(FrameworkUtil.asDictionary(properties));
    }

    private Configuration configuration(Target target) throws IOException {
        return target.isInstance()
                ? admin.getFactoryConfiguration(target.pid(), target.name(), ANY_BUNDLE)
                : admin.getConfiguration(target.pid(), ANY_BUNDLE);
    }

    @Override
    public void delete(Target target) throws IOException {
        for (Configuration configuration : marked("(" + MARK + "=" + target + ")")) {
            configuration.delete();
        }
    }

    private List<Configuration> marked(String filter) throws IOException {
        try {
            Configuration[] found = admin.listConfigurations(filter);
            return found == null ? new ArrayList<>() : List.of(found);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException("a target's name needs no escaping in a filter", e);
        }
    }
}
