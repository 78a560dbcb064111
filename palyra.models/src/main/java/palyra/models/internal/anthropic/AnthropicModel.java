package palyra.models.internal.anthropic;

import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import palyra.models.internal.http.HttpModel;
import palyra.models.internal.http.HttpModelComponent;

/** Offers one provider for each configured server of the Messages API. */
@Component(
        service = {},
        immediate = true,
        name = AnthropicConfiguration.PID,
        configurationPid = AnthropicConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = AnthropicConfiguration.class, factory = true)
public final class AnthropicModel extends HttpModelComponent {
    private final BundleContext context;
    private final AnthropicSettings settings;
    private final HttpModel model;

    /** Creates the provider; {@link #open} registers it. */
    @Activate
    public AnthropicModel(
            BundleContext context,
            AnthropicConfiguration configuration,
            Map<String, Object> properties) {
        this.context = context;
        settings = AnthropicSettings.from(configuration, properties);
        model = new HttpModel(settings.endpoint(), new AnthropicDialect(settings), seams);
    }

    /** Registers the provider. */
    @Activate
    void open() {
        register(context, settings.endpoint().id(), model);
    }

    /** Applies a changed configuration to new turns; running turns keep the previous one. */
    @Modified
    void modified(AnthropicConfiguration configuration, Map<String, Object> properties) {
        AnthropicSettings changed = AnthropicSettings.from(configuration, properties);
        model.use(changed.endpoint(), new AnthropicDialect(changed));
    }

    /** Withdraws the provider and fails its running turns. */
    @Deactivate
    void close() {
        unregister();
    }
}
