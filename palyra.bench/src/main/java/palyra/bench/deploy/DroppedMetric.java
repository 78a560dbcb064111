package palyra.bench.deploy;

import java.util.List;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/** The content of a dropped bundle: a service that shows under {@code /metrics} once it is live. */
public final class DroppedMetric implements BundleActivator {
    /** Returns the name of the metric of a bundle. */
    static String of(String symbolicName) {
        return "palyra_" + symbolicName.replace('.', '_');
    }

    @Override
    public void start(BundleContext context) {
        Metric metric =
                Metric.gauge(
                        of(context.getBundle().getSymbolicName()), "A dropped bundle lives.", 1);
        context.registerService(MetricSource.class, () -> List.of(metric), null);
    }

    @Override
    public void stop(BundleContext context) {
        // the framework takes the service back
    }
}
