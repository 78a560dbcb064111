package palyra.skills.internal.tool;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the skill runtime. */
@ObjectClassDefinition(name = "The skill runtime", description = "How calls of skills' tools run.")
@interface RuntimeConfiguration {
    /** The PID. */
    String PID = "palyra.skills.runtime";

    /** The usual engine. */
    @AttributeDefinition(
            description =
                    "Id of the engine that runs modules unless a trusted skill has one of its own.")
    String engine() default "endive";

    /** Wait for an engine. */
    @AttributeDefinition(
            min = "0",
            max = "300000",
            description =
                    "Longest time in milliseconds that a call waits for an engine that is being"
                            + " replaced.")
    int engineWaitMillis() default 30_000;

    /** Grace at the stop. */
    @AttributeDefinition(
            min = "0",
            max = "60000",
            description =
                    "How long in milliseconds calls may go on when the skill bundle stops; then"
                            + " they are stopped.")
    int stopMillis() default 2_000;
}
