package palyra.tools.internal.executor;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the executor. */
@ObjectClassDefinition(
        name = "Tools inside the gateway",
        description = "Runs tools that are services in the gateway's own JVM.")
@interface ToolsConfiguration {
    /** The PID. */
    String PID = "palyra.tools";

    /** Most calls at a time. */
    @AttributeDefinition(
            min = "1",
            max = "1000",
            description =
                    "Most calls that run at a time, each on a thread of its own; further ones are"
                            + " refused.")
    int maxRunning() default 64;

    /** Grace of a tool that leaves. */
    @AttributeDefinition(
            min = "0",
            max = "60000",
            description =
                    "How long in milliseconds running calls may continue after their tool or the"
                            + " executor is withdrawn, before they are interrupted.")
    int drainMillis() default 1_000;

    /** Time to obey an interruption. */
    @AttributeDefinition(
            min = "100",
            max = "60000",
            description =
                    "How long in milliseconds a call may take to end after a stop request; then"
                            + " its outcome is delivered and its thread is abandoned.")
    int stopMillis() default 5_000;

    /** Memory for outcomes. */
    @AttributeDefinition(
            min = "1048576",
            max = "1073741824",
            description =
                    "Most bytes of outcomes kept for callers that have not fetched them. Above"
                            + " it the oldest outcomes of more than ten minutes are dropped; if"
                            + " that is not enough, new calls are refused.")
    int maxKeptBytes() default 33_554_432;
}
