package palyra.gateway.internal.settings;

import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;

/** One configured price. */
@Component(
        name = "palyra.gateway.price",
        configurationPid = "palyra.gateway.price",
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = Configured.class)
@Designate(ocd = PriceConfiguration.class, factory = true)
public final class PriceComponent extends Configured {
    /** Creates it for the component runtime. */
    @Activate
    public PriceComponent(PriceConfiguration c, Map<String, Object> properties) {
        super("price", properties, name -> made(name, c));
    }

    /** The file changed. */
    @Modified
    void modified(PriceConfiguration c, Map<String, Object> properties) {
        change(properties, name -> made(name, c));
    }

    private static Price made(String name, PriceConfiguration c) {
        String input = c.inputPerMillion();
        String cached = c.cachedInputPerMillion().isEmpty() ? input : c.cachedInputPerMillion();
        return new Price(
                name,
                c.provider(),
                c.model(),
                Money.micros("inputPerMillion", input),
                Money.micros("cachedInputPerMillion", cached),
                Money.micros("outputPerMillion", c.outputPerMillion()));
    }
}
