package palyra.front.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What an operator can set about the front. */
@ObjectClassDefinition(
        name = "Palyra front",
        description = "Bounds of what surfaces may leave waiting and follow.")
@interface FrontConfig {
    /** The configuration's name. */
    String PID = "palyra.front";

    /** Messages and runs that may wait. */
    @AttributeDefinition(
            name = "Queue limit",
            description =
                    "Messages and runs that may wait, while the gateway is away, before new ones"
                            + " are refused.",
            min = "1",
            max = "1000000",
            required = false)
    int queueLimit() default 10_000;

    /** Followers at once. */
    @AttributeDefinition(
            name = "Most followers",
            description = "Runs that may be followed at the same time.",
            min = "1",
            max = "100000",
            required = false)
    int maxFollowers() default 1_000;

    /** Shapes of secrets that are left alone. */
    @AttributeDefinition(
            name = "Shapes of secrets off",
            description =
                    "Names of shapes of secrets, such as jwt, that are left alone in messages and"
                            + " events; palyra.gateway has the same setting for answers and tools."
                            + " What the vault keeps is always looked for.",
            required = false)
    String[] secretShapesOff() default {};
}
