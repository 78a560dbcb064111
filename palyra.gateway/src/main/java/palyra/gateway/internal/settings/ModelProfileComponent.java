package palyra.gateway.internal.settings;

import java.util.Arrays;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;

/** One configured model profile. */
@Component(
        name = "palyra.gateway.model",
        configurationPid = "palyra.gateway.model",
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = Configured.class)
@Designate(ocd = ModelProfileConfiguration.class, factory = true)
public final class ModelProfileComponent extends Configured {
    /** Creates it for the component runtime. */
    @Activate
    public ModelProfileComponent(ModelProfileConfiguration c, Map<String, Object> properties) {
        super("model profile", properties, name -> made(name, c));
    }

    /** The file changed. */
    @Modified
    void modified(ModelProfileConfiguration c, Map<String, Object> properties) {
        change(properties, name -> made(name, c));
    }

    private static ModelProfile made(String name, ModelProfileConfiguration c) {
        return new ModelProfile(
                name,
                Arrays.stream(c.targets()).map(ModelTarget::parse).toList(),
                c.contextTokens(),
                c.maxOutputTokens(),
                ModelProfile.options(c.options()));
    }
}
