package palyra.connectors.webhook.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of one account; its name is that of the file, PID~NAME.json. */
@ObjectClassDefinition(
        name = "Webhook connector",
        description = "A service that calls by webhooks; see docs/channels-webhook.md.")
@interface WebhookConfiguration {
    /** The PID. */
    String PID = "palyra.connectors.webhook";

    /** References to the signing secrets. */
    @AttributeDefinition(
            description =
                    "vault:channel:webhook:ACCOUNT/KEY of the signing secret, whsec_ and base64. Two"
                            + " while it is rotated: requests signed with either are taken, and"
                            + " callbacks are signed with both. Never a secret itself.")
    String[] secrets();

    /** Address of answers. */
    @AttributeDefinition(
            description =
                    "Address that answers are posted to, https; http to this machine alone. No user"
                            + " or fragment. A private or loopback address must be in allowPrivate"
                            + " of palyra.sandbox.egress as well.")
    String callbackUrl();

    /** Window of timestamps. */
    @AttributeDefinition(
            min = "10",
            max = "3600",
            required = false,
            description =
                    "Seconds that webhook-timestamp may differ from this machine's clock, either"
                            + " way.")
    int windowSeconds() default 300;

    /** Rate limit. */
    @AttributeDefinition(
            min = "1",
            max = "60000",
            required = false,
            description =
                    "Requests of a minute whose body is looked at; further ones are answered with"
                            + " 429.")
    int requestsPerMinute() default 600;

    /** Longest answer. */
    @AttributeDefinition(
            min = "64",
            max = "65536",
            required = false,
            description = "Longest text of one callback in characters; longer answers are cut.")
    int maxCharacters() default 16_384;

    /** Whether the receiver drops repetitions. */
    @AttributeDefinition(
            description =
                    "Whether the receiver of callbacks drops one whose webhook-id it has seen. Then"
                            + " a callback of which it is not known whether it arrived is sent"
                            + " again.")
    boolean receiverDeduplicates() default false;

    /** Whether the receiver knows reactions. */
    @AttributeDefinition(
            description =
                    "Whether the receiver of callbacks takes reactions of skills: callbacks with"
                            + " \"event\":\"reaction\" and without a text. The same reaction to"
                            + " the same message, posted again, has to be one.")
    boolean receivesReactions() default false;
}
