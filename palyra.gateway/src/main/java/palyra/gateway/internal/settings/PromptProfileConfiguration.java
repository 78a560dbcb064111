package palyra.gateway.internal.settings;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration {@code palyra.gateway.prompt~NAME}. */
@ObjectClassDefinition(
        id = "palyra.gateway.prompt",
        name = "Palyra prompt profile",
        description = "Instructions that several agents share.")
public @interface PromptProfileConfiguration {
    /** See {@link PromptProfile#text}. */
    @AttributeDefinition(
            name = "Text",
            description = "The instructions; empty when there is a file.")
    String text() default "";

    /** See {@link PromptProfile#file}. */
    @AttributeDefinition(
            name = "File",
            description =
                    "Absolute path of a file with the instructions, read again for each turn; empty"
                            + " when there is a text.")
    String file() default "";
}
