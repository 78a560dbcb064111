package palyra.channels.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.felix.hc.api.FormattingResultLog;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import palyra.api.channel.ConnectorId;
import palyra.api.core.ops.Finding;
import palyra.channels.internal.route.RouteRules;

/**
 * Health checks of channels: one of the rules, one of connectors that are gone, and one of each
 * connector with its kind as a further tag. They say what {@link ChannelReport} found. Thread-safe.
 */
final class ChannelChecks implements AutoCloseable {
    /** Tag of all of them. */
    static final String TAG = "channels";

    private final BundleContext context;
    private final ChannelReport report;
    private final ServiceRegistration<HealthCheck> rules;
    private final ServiceRegistration<HealthCheck> gone;
    private final Map<String, ServiceRegistration<HealthCheck>> connectors =
            new HashMap<>(); // guarded by this

    ChannelChecks(BundleContext context, ChannelReport report, RouteRules rules) {
        this.context = context;
        this.report = report;
        this.rules = register("channel-rules", () -> of(rules), TAG);
        this.gone = register("channel-gone", this::gone, TAG);
    }

    private ServiceRegistration<HealthCheck> register(
            String name, HealthCheck check, String... tags) {
        return context.registerService(
                HealthCheck.class,
                check,
                FrameworkUtil.asDictionary(Map.of(HealthCheck.NAME, name, HealthCheck.TAGS, tags)));
    }

    private static Result of(RouteRules rules) {
        return rules.awaited().stream()
                .findFirst()
                .map(
                        rule ->
                                new Result(
                                        Result.Status.TEMPORARILY_UNAVAILABLE,
                                        RouteRules.notInForce(rule)
                                                + ": nothing is taken of the connectors that it may"
                                                + " be for."))
                .orElseGet(() -> new Result(Result.Status.OK, "Every rule is in force."));
    }

    /** The connectors that are there changed. */
    synchronized void are(List<Channel> present) {
        for (Channel channel : present) {
            ConnectorId id = channel.id();
            connectors.computeIfAbsent(
                    id.toString(),
                    name -> register("channel-" + name, () -> of(channel), TAG, id.kind()));
        }
        connectors
                .entrySet()
                .removeIf(
                        entry -> {
                            boolean gone =
                                    present.stream()
                                            .noneMatch(
                                                    channel ->
                                                            channel.id()
                                                                    .toString()
                                                                    .equals(entry.getKey()));
                            if (gone) {
                                entry.getValue().unregister();
                            }
                            return gone;
                        });
    }

    private Result of(Channel channel) {
        return result(
                channel.id() + " is " + channel.connector().status().state() + ".",
                report.findings(channel));
    }

    private Result gone() {
        return result("Connectors for which messages wait are looked for.", report.gone());
    }

    private static Result result(String first, List<Finding> findings) {
        FormattingResultLog log = new FormattingResultLog();
        log.info("{}", first);
        for (Finding finding : findings) {
            switch (finding.severity()) {
                case INFO -> log.info("{}", finding.message());
                case WARNING -> log.warn("{}", finding.message());
                case ERROR -> log.critical("{}", finding.message());
            }
        }
        return new Result(log);
    }

    @Override
    public synchronized void close() {
        connectors.values().forEach(ServiceRegistration::unregister);
        connectors.clear();
        rules.unregister();
        gone.unregister();
    }
}
