package palyra.gateway.internal.settings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The operators' configuration of models at one moment.
 *
 * @param models profiles by name
 * @param prompts profiles by name
 * @param prices by name, in that order
 * @param budgets by name, in that order
 * @param broken what cannot be used, and why
 */
public record ModelSettings(
        Map<String, ModelProfile> models,
        Map<String, PromptProfile> prompts,
        List<Price> prices,
        List<Budget> budgets,
        List<Setting.Broken> broken) {
    /** Nothing is configured. */
    public static final ModelSettings NONE = of(List.of());

    /** Sorts settings. */
    public static ModelSettings of(List<? extends Setting> settings) {
        List<Setting> sorted = new ArrayList<>(settings);
        sorted.sort(Comparator.comparing(Setting::name));
        Map<String, ModelProfile> models = new TreeMap<>();
        Map<String, PromptProfile> prompts = new TreeMap<>();
        List<Price> prices = new ArrayList<>();
        List<Budget> budgets = new ArrayList<>();
        List<Setting.Broken> broken = new ArrayList<>();
        for (Setting setting : sorted) {
            switch (setting) {
                case ModelProfile model -> models.put(model.name(), model);
                case PromptProfile prompt -> prompts.put(prompt.name(), prompt);
                case Price price -> prices.add(price);
                case Budget budget -> budgets.add(budget);
                case Setting.Broken unusable -> broken.add(unusable);
            }
        }
        return new ModelSettings(
                Map.copyOf(models),
                Map.copyOf(prompts),
                List.copyOf(prices),
                List.copyOf(budgets),
                List.copyOf(broken));
    }

    /** Returns the price of a model: the one whose pattern has the most letters, then by name. */
    public Optional<Price> price(ModelTarget target) {
        return prices.stream()
                .filter(price -> price.fits(target))
                .min(
                        Comparator.comparingInt((Price price) -> -price.model().length())
                                .thenComparing(Price::name));
    }

    /** Returns why something of that kind and name cannot be used. */
    public Optional<String> whyBroken(String kind, String name) {
        return broken.stream()
                .filter(one -> one.kind().equals(kind) && one.name().equals(name))
                .map(Setting.Broken::why)
                .findFirst();
    }
}
