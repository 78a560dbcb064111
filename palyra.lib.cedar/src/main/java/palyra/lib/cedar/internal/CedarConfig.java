package palyra.lib.cedar.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What an operator can set about the native engine. */
@ObjectClassDefinition(
        name = "Palyra Cedar engine",
        description = "Bounds of the native Cedar engine: parser, validator, formatter, oracle.")
@interface CedarConfig {
    /** The configuration's name. */
    String PID = "palyra.lib.cedar";

    /** How long a caller waits. */
    @AttributeDefinition(
            name = "Deadline",
            description =
                    "Milliseconds that a caller waits for an answer, its turn included, before it"
                            + " gets an error.",
            min = "100",
            max = "600000",
            required = false)
    long deadlineMillis() default 30_000;

    /** Prepared sets at once. */
    @AttributeDefinition(
            name = "Most prepared policy sets",
            description =
                    "Policy sets that may be inside the engine at the same time; each reload"
                            + " prepares one before it lets the last one go.",
            min = "2",
            max = "100000",
            required = false)
    int maxPreparedSets() default 4_096;

    /** Calls that may wait; takes effect when the component is activated again. */
    @AttributeDefinition(
            name = "Queue limit",
            description =
                    "Calls that may wait for the engine's thread before further ones are refused."
                            + " Takes effect at the next start.",
            min = "1",
            max = "10000",
            required = false)
    int queueLimit() default 64;
}
