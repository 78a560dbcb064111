package palyra.gateway.internal.settings;

import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;

/** One configured prompt profile. */
@Component(
        name = "palyra.gateway.prompt",
        configurationPid = "palyra.gateway.prompt",
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = Configured.class)
@Designate(ocd = PromptProfileConfiguration.class, factory = true)
public final class PromptProfileComponent extends Configured {
    /** Creates it for the component runtime. */
    @Activate
    public PromptProfileComponent(PromptProfileConfiguration c, Map<String, Object> properties) {
        super("prompt profile", properties, name -> made(name, c));
    }

    /** The file changed. */
    @Modified
    void modified(PromptProfileConfiguration c, Map<String, Object> properties) {
        change(properties, name -> made(name, c));
    }

    private static PromptProfile made(String name, PromptProfileConfiguration c) {
        return new PromptProfile(name, c.text(), c.file());
    }
}
