package palyra.gateway.internal.settings;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration {@code palyra.gateway.price~NAME}. */
@ObjectClassDefinition(
        id = "palyra.gateway.price",
        name = "Palyra price of models",
        description = "The price of a provider's models, in the currency of palyra.gateway.")
public @interface PriceConfiguration {
    /** See {@link Price#provider}. */
    @AttributeDefinition(name = "Provider", description = "Id of the model provider.")
    String provider();

    /** See {@link Price#model}. */
    @AttributeDefinition(
            name = "Model",
            description = "Name of the model; a star matches any text.")
    String model() default "*";

    /** See {@link Price#inputPerMillion}. */
    @AttributeDefinition(
            name = "Input",
            description = "Price of a million tokens read, a decimal number such as 2.50.")
    String inputPerMillion();

    /** See {@link Price#cachedInputPerMillion}. */
    @AttributeDefinition(
            name = "Cached input",
            description =
                    "Price of a million tokens read that the provider had cached; empty for that of"
                            + " the others.")
    String cachedInputPerMillion() default "";

    /** See {@link Price#outputPerMillion}. */
    @AttributeDefinition(
            name = "Output",
            description = "Price of a million tokens written, a decimal number such as 10.")
    String outputPerMillion();
}
