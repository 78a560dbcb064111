package palyra.deploy.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the drop-in folder. */
@ObjectClassDefinition(
        name = "Palyra drop-in folder",
        description = "Deploys pinned bundles, and configurations, from a folder.")
public @interface DeployConfiguration {
    /** Whether the folder is used. */
    @AttributeDefinition(
            name = "Enabled",
            description =
                    "Whether the folder is watched. While it is, its bundles and configurations are"
                            + " in force; when it is switched off, they are withdrawn.")
    boolean enabled() default false;

    /** The folder. */
    @AttributeDefinition(
            name = "Folder",
            description =
                    "The folder, relative to the state folder or absolute. It and everything in it"
                            + " must belong to the gateway's user or root and must not be writable for"
                            + " other users.")
    String folder() default "deploy";

    /** Pinned digests and signers. */
    @AttributeDefinition(
            name = "Pins",
            description =
                    "Jars to deploy, each as sha256:DIGEST of the file or signer:DIGEST of the"
                            + " certificate that signed all of it; a note may follow after a space."
                            + " Pins made by palyra deploy pin count as well.",
            required = false)
    String[] pins() default {};

    /** Largest jar. */
    @AttributeDefinition(
            name = "Largest file",
            description = "Largest jar, in bytes. It may unpack to eight times that.",
            min = "1024",
            max = "1073741824")
    long maxFileBytes() default 134_217_728;

    /** Time to start. */
    @AttributeDefinition(
            name = "Start timeout",
            description =
                    "How long a bundle may take to become active with all its components, in"
                            + " milliseconds; otherwise the change is rolled back.",
            min = "500",
            max = "600000")
    long startTimeoutMillis() default 20_000;
}
