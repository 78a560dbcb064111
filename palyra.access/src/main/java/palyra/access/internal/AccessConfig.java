package palyra.access.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What an operator can set about access. */
@ObjectClassDefinition(name = "Palyra access", description = "Who is who on this machine.")
public @interface AccessConfig {
    /** The configuration's name. */
    String PID = "palyra.access";

    /** Groups of local users other than the gateway's own. */
    @AttributeDefinition(
            name = "Local peers",
            description =
                    "Local users that may use the command socket, each as user=group,group with"
                            + " groups of operator, approver, integrator, viewer. The user that the"
                            + " gateway runs as is always an operator.",
            required = false)
    String[] localPeers() default {};

    /** Client certificates and whose they are. */
    @AttributeDefinition(
            name = "Client certificates",
            description =
                    "Certificates of clients, each as sha256=principal;group,group: the SHA-256 of"
                            + " the certificate in hex (colons are ignored), a principal such as"
                            + " service:ci, and groups of operator, approver, integrator, viewer."
                            + " An unknown certificate is refused.",
            required = false)
    String[] certificates() default {};

    /** How many denials a second get a record of their own. */
    @AttributeDefinition(
            name = "Denials recorded per second",
            description = "Denials beyond it are counted in a summary record.",
            min = "1",
            max = "1000",
            required = false)
    int denialsPerSecond() default 20;

    /** What decides. */
    @AttributeDefinition(
            name = "Engine",
            description =
                    "What decides: policy asks the Cedar policies, and nothing is allowed without"
                            + " them; builtin uses the fixed rules in code and reads no policy.",
            options = {@Option("policy"), @Option("builtin")},
            required = false)
    String engine() default AccessSettings.POLICY;

    /** Tools that may be used at all. */
    @AttributeDefinition(
            name = "Tools",
            description =
                    "Tools that any agent may use, by name or by the beginning of a name that ends"
                            + " in *. An agent's own list and the policies narrow it further.",
            required = false)
    String[] tools() default {"*"};

    /** Capabilities that a tool may have. */
    @AttributeDefinition(
            name = "Capabilities",
            description =
                    "What tools may be able to reach: a tool that declares anything else is"
                            + " denied. Of process_exec, code_exec, network, secrets_read, filesystem_read,"
                            + " filesystem_write, artifacts_read, other.",
            required = false)
    String[] capabilities() default {
        "process_exec",
        "code_exec",
        "network",
        "secrets_read",
        "filesystem_read",
        "filesystem_write",
        "artifacts_read",
        "other"
    };
}
