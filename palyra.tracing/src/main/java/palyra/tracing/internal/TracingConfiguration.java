package palyra.tracing.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of traces. */
@ObjectClassDefinition(
        name = "Traces",
        description = "Where traces of messages are sent; see the operator guide.")
@interface TracingConfiguration {
    /** The PID. */
    String PID = "palyra.tracing";

    /** Address of the collector. */
    @AttributeDefinition(
            required = false,
            description =
                    "Address of a collector of OpenTelemetry for OTLP/HTTP, with its path, such as"
                            + " http://127.0.0.1:4318/v1/traces. Empty sends no traces. A private or"
                            + " loopback address must be in allowPrivate of palyra.sandbox.egress as"
                            + " well.")
    String endpoint() default "";

    /** Headers. */
    @AttributeDefinition(
            required = false,
            description =
                    "Further headers as 'Name: value'; a credential is written 'Name:"
                            + " vault:SCOPE/KEY' and needs https beyond this machine.")
    String[] headers() default {};

    /** Share of messages. */
    @AttributeDefinition(
            min = "0",
            max = "1",
            description = "Share of the messages that traces are made of, 0 to 1.")
    double sampleRatio() default 1;
}
