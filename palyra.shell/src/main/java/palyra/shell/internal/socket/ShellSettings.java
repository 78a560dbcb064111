package palyra.shell.internal.socket;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the command socket, PID {@code palyra.shell}. */
@ObjectClassDefinition(
        name = "Palyra shell",
        description = "The local command socket. Changes hold for the next connection.")
public @interface ShellSettings {
    /** Most connections at a time. */
    @AttributeDefinition(
            name = "Connections",
            description = "Most concurrent commands; a further one is refused.",
            min = "1",
            max = "1024")
    int maxConnections() default 32;

    /** How long a client may take for its request and for each frame that it began. */
    @AttributeDefinition(
            name = "Request timeout in milliseconds",
            description = "How long a client may take for its request, or to end a frame.",
            min = "100",
            max = "600000")
    int requestTimeoutMillis() default 10_000;

    /** How long a client may leave output unread. */
    @AttributeDefinition(
            name = "Stall timeout in seconds",
            description =
                    "How long a client may leave output unread, as a pager does, before its"
                            + " connection is closed.",
            min = "1",
            max = "86400")
    int stallTimeoutSeconds() default 1_800;
}
