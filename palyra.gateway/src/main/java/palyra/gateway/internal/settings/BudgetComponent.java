package palyra.gateway.internal.settings;

import java.util.Locale;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.Require;
import palyra.api.core.journal.BudgetAmount;

/** One configured budget. */
@Component(
        name = "palyra.gateway.budget",
        configurationPid = "palyra.gateway.budget",
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = Configured.class)
@Designate(ocd = BudgetConfiguration.class, factory = true)
public final class BudgetComponent extends Configured {
    /** Creates it for the component runtime. */
    @Activate
    public BudgetComponent(BudgetConfiguration c, Map<String, Object> properties) {
        super("budget", properties, name -> made(name, c));
    }

    /** The file changed. */
    @Modified
    void modified(BudgetConfiguration c, Map<String, Object> properties) {
        change(properties, name -> made(name, c));
    }

    private static Budget made(String name, BudgetConfiguration c) {
        Require.that(
                c.per().equals("run") || c.per().equals("day"),
                "budget '" + name + "': per '" + c.per() + "' is not usable: run or day");
        long cost = c.maxCost().isEmpty() ? 0 : Money.micros("maxCost", c.maxCost());
        Require.that(
                c.maxCost().isEmpty() || cost > 0,
                "budget '" + name + "': maxCost is 0; leave it away for any amount");
        return new Budget(
                name,
                c.who(),
                Budget.Per.valueOf(c.per().toUpperCase(Locale.ROOT)),
                new BudgetAmount(c.maxTokens(), cost, c.maxCalls()));
    }
}
