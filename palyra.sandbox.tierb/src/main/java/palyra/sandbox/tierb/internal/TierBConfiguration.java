package palyra.sandbox.tierb.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of Tier B. */
@ObjectClassDefinition(
        name = "Sandbox Tier B",
        description = "Foreign processes confined by limits, Landlock and seccomp.")
@interface TierBConfiguration {
    /** The PID. */
    String PID = "palyra.sandbox.tierb";

    /** Further paths that every command may read. */
    @AttributeDefinition(
            name = "Read-only paths",
            description =
                    "Absolute paths of the host that every command may read and execute beside the"
                            + " system's own programs, such as /opt/tools.",
            required = false)
    String[] readOnlyPaths() default {};
}
