package palyra.sandbox.tierc.linux.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of Tier C on Linux. */
@ObjectClassDefinition(
        name = "Sandbox Tier C on Linux",
        description = "Foreign processes in namespaces of their own, made by bubblewrap.")
@interface TierCConfiguration {
    /** The PID. */
    String PID = "palyra.sandbox.tierc.linux";

    /** Where bubblewrap is. */
    @AttributeDefinition(
            name = "bwrap",
            description =
                    "Absolute path of bubblewrap; empty looks in /usr/bin, /usr/local/bin and /bin.",
            required = false)
    String bwrapPath() default "";

    /** Where socat is. */
    @AttributeDefinition(
            name = "socat",
            description =
                    "Absolute path of socat, which strict egress with an allow-list needs; empty"
                            + " looks in /usr/bin, /usr/local/bin and /bin.",
            required = false)
    String socatPath() default "";

    /** Further paths that every command may read. */
    @AttributeDefinition(
            name = "Read-only paths",
            description =
                    "Absolute paths of the host that every command may read and execute beside the"
                            + " system's own programs, such as /opt/tools.",
            required = false)
    String[] readOnlyPaths() default {};
}
