package palyra.policy.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What an operator can set about policies. */
@ObjectClassDefinition(
        name = "Palyra policies",
        description = "Which policies are part of the set, and what happens when they are refused.")
public @interface PolicyConfig {
    /** The configuration's name. */
    String PID = "palyra.policy";

    /** Whether the shipped policies are part of the set. */
    @AttributeDefinition(
            name = "Shipped policies",
            description =
                    "Whether the policies that come with the product are part of the set. Without"
                            + " them everything is denied that your own policies do not permit.",
            required = false)
    boolean defaults() default true;

    /** Shipped policies that are not part of the set. */
    @AttributeDefinition(
            name = "Shipped policies switched off",
            description = "The @id of each shipped policy that is not part of the set.",
            required = false)
    String[] disabledDefaults() default {};

    /** What happens when saved policies are refused. */
    @AttributeDefinition(
            name = "On failure",
            description =
                    "What happens when the policy files are refused: keep leaves the last good"
                            + " set in force, deny denies everything until they are corrected.",
            options = {
                @Option(label = "keep the last good set", value = "keep"),
                @Option(label = "deny everything", value = "deny")
            },
            required = false)
    String onFailure() default "keep";

    /** How many of a thousand decisions are compared with the native engine. */
    @AttributeDefinition(
            name = "Compared decisions per thousand",
            description =
                    "How many of a thousand decisions are also asked of the native engine"
                            + " afterwards. A difference is an alarm, and from then on the native"
                            + " engine decides.",
            min = "0",
            max = "1000",
            required = false)
    int shadowPerMille() default 10;
}
