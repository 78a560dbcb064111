package palyra.models.internal.http;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.model.ModelProvider;
import palyra.shared.model.ProviderState;

/** Registers a provider and its reports under the name of its configuration. Not thread-safe. */
public final class ModelService
        implements MetricSource,
                FindingSource,
                LoopSource,
                Supplier<Map<String, String>>,
                AutoCloseable {
    private final HttpModel model;
    private final ServiceRegistration<?> provider;
    private final ServiceRegistration<?> report;

    private ModelService(BundleContext context, String id, HttpModel model) {
        this.model = model;
        report =
                context.registerService(
                        new String[] {
                            MetricSource.class.getName(),
                            FindingSource.class.getName(),
                            LoopSource.class.getName(),
                            Supplier.class.getName()
                        },
                        this,
                        FrameworkUtil.asDictionary(Map.of(ProviderState.SERVICE_PROPERTY, id)));
        provider =
                context.registerService(
                        ModelProvider.class,
                        model,
                        FrameworkUtil.asDictionary(Map.of(ModelProvider.ID_PROPERTY, id)));
    }

    /** Registers the services of a provider. */
    public static ModelService open(BundleContext context, String id, HttpModel model) {
        return new ModelService(context, id, model);
    }

    @Override
    public List<Metric> metrics() {
        return model.report().metrics();
    }

    @Override
    public List<Finding> findings() {
        return model.report().findings();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(model.loop());
    }

    @Override
    public Map<String, String> get() {
        return model.report().state();
    }

    /** Unregisters the services, then ends running turns. */
    @Override
    public void close() {
        provider.unregister();
        report.unregister();
        model.close();
    }
}
