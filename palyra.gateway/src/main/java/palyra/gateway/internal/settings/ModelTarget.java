package palyra.gateway.internal.settings;

import palyra.api.Require;

/**
 * A model at a provider.
 *
 * @param provider id of the provider
 * @param model name within the provider; empty means its default
 */
public record ModelTarget(String provider, String model) {
    /** Checks. */
    public ModelTarget {
        Require.text(provider, "model provider");
        model = Require.orEmpty(model);
    }

    /** Reads {@code provider/model} or {@code provider}; a model's name may contain slashes. */
    public static ModelTarget parse(String text) {
        int at = text.indexOf('/');
        ModelTarget target =
                at < 0
                        ? new ModelTarget(text.strip(), "")
                        : new ModelTarget(
                                text.substring(0, at).strip(), text.substring(at + 1).strip());
        Require.that(
                text.length() <= 256
                        && target.provider().matches("[A-Za-z0-9._-]+")
                        && target.model().matches("[A-Za-z0-9._:/@+-]*"),
                "target '"
                        + (text.length() <= 60 ? text : text.substring(0, 60) + "…")
                        + "' is not usable: it is provider/model, such as openai/gpt-4o-mini");
        return target;
    }

    @Override
    public String toString() {
        return model.isEmpty() ? provider : provider + "/" + model;
    }
}
