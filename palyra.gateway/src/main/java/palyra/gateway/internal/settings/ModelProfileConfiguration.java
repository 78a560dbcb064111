package palyra.gateway.internal.settings;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration {@code palyra.gateway.model~NAME}. */
@ObjectClassDefinition(
        id = "palyra.gateway.model",
        name = "Palyra model profile",
        description = "Which models an agent's turns are asked of, in which order, and how.")
public @interface ModelProfileConfiguration {
    /** See {@link ModelProfile#targets}. */
    @AttributeDefinition(
            name = "Targets",
            description =
                    "provider/model, the preferred one first; the others are asked when it fails in"
                            + " a way that they may not.")
    String[] targets();

    /** See {@link ModelProfile#contextTokens}. */
    @AttributeDefinition(
            name = "Context",
            description =
                    "Tokens that a request may have together with its answer; 0 for no bound.",
            min = "0",
            max = "100000000")
    long contextTokens() default 0;

    /** See {@link ModelProfile#maxOutputTokens}. */
    @AttributeDefinition(
            name = "Longest answer",
            description = "Most tokens of an answer; 0 for the provider's default.",
            min = "0",
            max = "10000000")
    int maxOutputTokens() default 0;

    /** See {@link ModelProfile#options}. */
    @AttributeDefinition(
            name = "Options",
            description = "Further parameters as name=value, such as temperature=0.2.",
            required = false)
    String[] options() default {};
}
