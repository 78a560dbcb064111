package palyra.channels.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** How messages and files are sent to chat platforms: {@code conf/palyra.channels.json}. */
@ObjectClassDefinition(
        name = "Palyra channels",
        description = "How messages are sent to chat platforms, and what happens when it fails.")
public @interface ChannelsConfiguration {
    /** The PID. */
    String PID = "palyra.channels";

    /** Threads. */
    @AttributeDefinition(
            min = "1",
            max = "64",
            description = "How many conversations of one connector are sent to at a time.")
    int sendThreads() default 4;

    /** Attempts. */
    @AttributeDefinition(
            min = "1",
            max = "1000",
            description =
                    "After how many failed attempts a message becomes a dead letter. Attempts that"
                            + " the platform put off to a later time do not count.")
    int maxAttempts() default 20;

    /** First pause. */
    @AttributeDefinition(
            min = "10",
            max = "60000",
            description = "Milliseconds before the second attempt; doubled after each failure.")
    int firstDelayMillis() default 1_000;

    /** Longest pause. */
    @AttributeDefinition(
            min = "100",
            max = "3600000",
            description = "Longest pause between two attempts, in milliseconds.")
    int longestDelayMillis() default 300_000;

    /** Expiry. */
    @AttributeDefinition(
            min = "0",
            max = "8760",
            description =
                    "Hours after which a message that could not be sent becomes a dead letter; 0"
                            + " means never.")
    int expiryHours() default 72;

    /** Unknown outcomes. */
    @AttributeDefinition(
            options = {
                @Option(label = "kept for an operator", value = "hold"),
                @Option(label = "sent again", value = "resend")
            },
            description =
                    "What becomes of a message of which it cannot be found out whether it arrived:"
                            + " hold (channels dead list shows it) or resend (it may arrive twice).")
    String unknown() default "hold";

    /** Size of files. */
    @AttributeDefinition(
            min = "1",
            max = "33554432",
            description =
                    "Largest file in bytes that is fetched from a conversation or sent to one. A"
                            + " platform may take less.")
    int maxFileBytes() default 10_485_760;

    /** Size of all files that wait. */
    @AttributeDefinition(
            min = "1",
            description =
                    "Most bytes of all files together that wait to be sent, or are kept with"
                            + " messages that could not be sent.")
    long maxHeldBytes() default 268_435_456;
}
