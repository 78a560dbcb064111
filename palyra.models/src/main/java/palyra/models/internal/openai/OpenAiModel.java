package palyra.models.internal.openai;

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

/** Offers one provider for each configured server of the chat completions API. */
@Component(
        service = {},
        immediate = true,
        name = OpenAiConfiguration.PID,
        configurationPid = OpenAiConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = OpenAiConfiguration.class, factory = true)
public final class OpenAiModel extends HttpModelComponent {
    private final BundleContext context;
    private final OpenAiSettings settings;
    private final HttpModel model;

    /** Creates the provider; {@link #open} registers it. */
    @Activate
    public OpenAiModel(
            BundleContext context,
            OpenAiConfiguration configuration,
            Map<String, Object> properties) {
        this.context = context;
        settings = OpenAiSettings.from(configuration, properties);
        model = new HttpModel(settings.endpoint(), new OpenAiDialect(settings), seams);
    }

    /** Registers the provider. */
    @Activate
    void open() {
        register(context, settings.endpoint().id(), model);
    }

    /** Applies a changed configuration to new turns; running turns keep the previous one. */
    @Modified
    void modified(OpenAiConfiguration configuration, Map<String, Object> properties) {
        OpenAiSettings changed = OpenAiSettings.from(configuration, properties);
        model.use(changed.endpoint(), new OpenAiDialect(changed));
    }

    /** Withdraws the provider and fails its running turns. */
    @Deactivate
    void close() {
        unregister();
    }
}
