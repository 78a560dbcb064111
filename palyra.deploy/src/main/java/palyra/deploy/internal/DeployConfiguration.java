package palyra.deploy.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What an operator can set. */
@ObjectClassDefinition(
        name = "Palyra drop-in folder",
        description = "Takes pinned bundles, and configurations, out of a folder.")
public @interface DeployConfiguration {
    /** Whether there is such a folder. */
    @AttributeDefinition(
            name = "Enabled",
            description =
                    "Whether the folder is watched. While it is, what lies in it is in force; when"
                            + " it no longer is, everything that came from it is withdrawn.")
    boolean enabled() default false;

    /** The folder. */
    @AttributeDefinition(
            name = "Folder",
            description =
                    "The folder, relative to the state folder or absolute. It and everything in it"
                            + " must belong to the gateway's user or root, and nobody else may"
                            + " write to it.")
    String folder() default "deploy";

    /** What is trusted. */
    @AttributeDefinition(
            name = "Pins",
            description =
                    "What jars are taken, each as sha256:DIGEST of the file or signer:DIGEST of the"
                            + " certificate that signed all of it; a note may follow after a"
                            + " blank. Pins made by palyra deploy pin count as well.",
            required = false)
    String[] pins() default {};

    /** Largest jar. */
    @AttributeDefinition(
            name = "Largest file",
            description = "Largest jar that is taken, in bytes. It may unpack to eight times that.",
            min = "1024",
            max = "1073741824")
    long maxFileBytes() default 134_217_728;

    /** Time to come up. */
    @AttributeDefinition(
            name = "Start timeout",
            description =
                    "How long a bundle may take to become active with all its components, in"
                            + " milliseconds; one that does not is undone.",
            min = "500",
            max = "600000")
    long startTimeoutMillis() default 20_000;
}
