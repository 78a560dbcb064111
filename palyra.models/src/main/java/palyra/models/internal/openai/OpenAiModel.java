package palyra.models.internal.openai;

import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.vault.Vault;
import palyra.shared.model.HttpModel;
import palyra.shared.model.ModelSeams;
import palyra.shared.model.ModelService;

/** One provider for each configuration of a server; without a configuration there is none. */
@Component(
        service = {},
        immediate = true,
        name = OpenAiConfiguration.PID,
        configurationPid = OpenAiConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = OpenAiConfiguration.class, factory = true)
public final class OpenAiModel {
    private final BundleContext context;
    private final OpenAiSettings settings;
    private final ModelSeams seams = new ModelSeams();
    private final HttpModel model;
    private ModelService service;

    /** Makes the provider ready. */
    @Activate
    public OpenAiModel(
            BundleContext context,
            OpenAiConfiguration configuration,
            Map<String, Object> properties) {
        this.context = context;
        settings = OpenAiSettings.from(configuration, properties);
        model = new HttpModel(settings.endpoint(), new OpenAiDialect(settings), seams);
    }

    /** Offers it. */
    @Activate
    void open() {
        service = ModelService.open(context, settings.endpoint().id(), model);
    }

    /** Takes a changed configuration; turns that run keep theirs. */
    @Modified
    void modified(OpenAiConfiguration configuration, Map<String, Object> properties) {
        OpenAiSettings changed = OpenAiSettings.from(configuration, properties);
        model.use(changed.endpoint(), new OpenAiDialect(changed));
    }

    /** Fails what still runs and waits for its threads. */
    @Deactivate
    void close() {
        service.close();
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindEgress(EgressClient service, Map<String, ?> properties) {
        seams.egress().add(service, properties);
    }

    /** Called by the component runtime. */
    void unbindEgress(EgressClient service) {
        seams.egress().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access service, Map<String, ?> properties) {
        seams.access().add(service, properties);
    }

    /** Called by the component runtime. */
    void unbindAccess(Access service) {
        seams.access().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVault(Vault service, Map<String, ?> properties) {
        seams.vault().add(service, properties);
    }

    /** Called by the component runtime. */
    void unbindVault(Vault service) {
        seams.vault().remove(service);
    }
}
