package palyra.models.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the deterministic model. */
@ObjectClassDefinition(
        name = "Deterministic model",
        description = "The model that needs no network; see docs/deterministic-model.md.")
@interface DeterministicConfiguration {
    /** The PID. */
    String PID = "palyra.models.deterministic";

    /** Most turns at a time. */
    @AttributeDefinition(
            min = "1",
            max = "10000",
            description = "Most turns that run at a time; further ones are refused.")
    int maxTurns() default 1_000;

    /** Pause between words. */
    @AttributeDefinition(
            min = "0",
            max = "10000",
            description =
                    "Pause between two words of an answer in milliseconds, to look like typing.")
    int wordMillis() default 0;
}
