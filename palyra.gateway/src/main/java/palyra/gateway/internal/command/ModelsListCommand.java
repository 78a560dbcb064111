package palyra.gateway.internal.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.gateway.internal.settings.ModelProfile;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.ModelTarget;
import palyra.gateway.internal.settings.Money;
import palyra.gateway.internal.settings.Price;
import palyra.gateway.internal.settings.Setting;
import palyra.shared.model.ProviderState;

/** {@code models list}: profiles with the models that they ask, in order. */
final class ModelsListCommand implements Command {
    private static final List<String> HEADINGS =
            List.of(
                    "Profile",
                    "Order",
                    "Target",
                    "Provider",
                    "Circuit",
                    "Last failure",
                    "Context",
                    "Longest answer",
                    "Price");
    private static final List<String> JSON_HEADINGS =
            List.of(
                    "Profile",
                    "Order",
                    "Target",
                    "Present",
                    "Circuit",
                    "Circuit until",
                    "Last failure",
                    "Last failure at",
                    "Context tokens",
                    "Longest answer tokens",
                    "Input per million micros",
                    "Cached input per million micros",
                    "Output per million micros",
                    "Currency");
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "models list",
                    "Lists the model profiles and the models that they ask",
                    "A profile is a file conf/palyra.gateway.model~NAME.json. Prices are for a"
                            + " million tokens: read, read from the provider's cache, written. A"
                            + " provider whose circuit is open failed too often and is not asked"
                            + " until then; half-open: the next turn decides. Exit code 1: a profile or price cannot be used.",
                    List.of(),
                    List.of(),
                    CommandServices.READ,
                    false);

    private final CommandServices services;

    ModelsListCommand(CommandServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        ModelSettings now = services.settings().now();
        List<List<?>> rows = new ArrayList<>();
        boolean json = context.json();
        for (ModelProfile profile : new TreeMap<>(now.models()).values()) {
            int order = 1;
            for (ModelTarget target : profile.targets()) {
                Optional<Price> price = now.price(target);
                rows.add(
                        json
                                ? values(profile, order, target, price)
                                : texts(profile, order, target, price));
                order++;
            }
        }
        context.output().table(json ? JSON_HEADINGS : HEADINGS, rows);
        List<String> providers = services.providers().get();
        context.output()
                .note(
                        providers.isEmpty()
                                ? "No model provider is there."
                                : "Providers that are there: " + String.join(", ", providers));
        List<Setting.Broken> broken =
                now.broken().stream().filter(one -> !one.kind().equals("budget")).toList();
        broken.forEach(
                one ->
                        context.output()
                                .note(
                                        "The "
                                                + one.kind()
                                                + " '"
                                                + one.name()
                                                + "' cannot be used: "
                                                + one.why()));
        return broken.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private List<?> texts(
            ModelProfile profile, int order, ModelTarget target, Optional<Price> price) {
        Map<String, String> state = services.state().apply(target);
        return List.of(
                profile.name(),
                order,
                target.toString(),
                services.present().test(target) ? "present" : "absent",
                circuit(state),
                failure(state),
                profile.contextTokens() == 0 ? "any" : profile.contextTokens(),
                profile.maxOutputTokens() == 0 ? "default" : profile.maxOutputTokens(),
                price(price));
    }

    private List<?> values(
            ModelProfile profile, int order, ModelTarget target, Optional<Price> price) {
        Map<String, String> state = services.state().apply(target);
        return Arrays.asList(
                profile.name(),
                order,
                target.toString(),
                services.present().test(target),
                state.get(ProviderState.CIRCUIT),
                state.get(ProviderState.OPEN_UNTIL),
                state.get(ProviderState.FAILURE),
                state.get(ProviderState.FAILED_AT),
                profile.contextTokens() == 0 ? null : profile.contextTokens(),
                profile.maxOutputTokens() == 0 ? null : profile.maxOutputTokens(),
                price.map(Price::inputPerMillion).orElse(null),
                price.map(Price::cachedInputPerMillion).orElse(null),
                price.map(Price::outputPerMillion).orElse(null),
                price.isPresent() ? services.currency() : null);
    }

    private static String circuit(Map<String, String> state) {
        String until = state.get(ProviderState.OPEN_UNTIL);
        return state.getOrDefault(ProviderState.CIRCUIT, "none")
                + (until == null ? "" : " until " + until);
    }

    private static String failure(Map<String, String> state) {
        String cause = state.get(ProviderState.FAILURE);
        return cause == null ? "none" : cause + " at " + state.get(ProviderState.FAILED_AT);
    }

    private String price(Optional<Price> price) {
        return price.map(
                        p ->
                                Money.text(p.inputPerMillion())
                                        + ", "
                                        + Money.text(p.cachedInputPerMillion())
                                        + ", "
                                        + Money.text(p.outputPerMillion())
                                        + " "
                                        + services.currency())
                .orElse("none");
    }
}
