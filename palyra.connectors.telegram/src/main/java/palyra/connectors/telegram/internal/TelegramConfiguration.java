package palyra.connectors.telegram.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of one bot; the name of the account is that of the file, PID~NAME.json. */
@ObjectClassDefinition(
        name = "Telegram connector",
        description = "A bot of Telegram; see docs/channels-telegram.md.")
@interface TelegramConfiguration {
    /** The PID. */
    String PID = "palyra.connectors.telegram";

    /** Reference to the token. */
    @AttributeDefinition(
            description =
                    "vault:SCOPE/KEY of the token that @BotFather gave for the bot. Never a token"
                            + " itself.")
    String token();

    /** Address. */
    @AttributeDefinition(
            required = false,
            description =
                    "Address of the Bot API, https; http to this machine alone. No user, query or"
                            + " fragment. A private or loopback address must be in allowPrivate of"
                            + " palyra.sandbox.egress as well.")
    String apiUrl() default "https://api.telegram.org";

    /** Long polling. */
    @AttributeDefinition(
            min = "1",
            max = "50",
            description =
                    "Seconds that Telegram holds a request for messages open while there are none.")
    int pollSeconds() default 50;

    /** Previews of links. */
    @AttributeDefinition(
            description =
                    "Whether Telegram may fetch the first link of an answer to show a preview. A"
                            + " model that was deceived can put data into a link, and a preview"
                            + " sends it off without a click.")
    boolean linkPreviews() default false;
}
