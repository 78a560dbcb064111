package palyra.connectors.discord.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of one bot; the name of the account is that of the file, PID~NAME.json. */
@ObjectClassDefinition(
        name = "Discord connector",
        description = "A bot of Discord; see docs/channels-discord.md.")
@interface DiscordConfiguration {
    /** The PID. */
    String PID = "palyra.connectors.discord";

    /** Address of Discord's API. */
    String API_URL = "https://discord.com/api/v10";

    /** Reference to the token. */
    @AttributeDefinition(
            description =
                    "vault:SCOPE/KEY of the bot's token, which the page Bot of the application in"
                            + " the Developer Portal gives. Never a token itself.")
    String token();

    /** Address. */
    @AttributeDefinition(
            required = false,
            description =
                    "Address of Discord's API with its version, https; http to this machine alone."
                            + " No user, query or fragment. A private or loopback address must be"
                            + " in allowPrivate of palyra.sandbox.egress as well.")
    String apiUrl() default API_URL;

    /** Address of files. */
    @AttributeDefinition(
            required = false,
            description =
                    "Address of the server of files, for tests, where apiUrl is another one than"
                            + " Discord's. Empty means Discord's own servers.")
    String filesUrl() default "";

    /** Content of messages. */
    @AttributeDefinition(
            description =
                    "Whether Discord is asked for the content of all messages in servers. Without"
                            + " it the bot reads direct messages, and messages that mention it."
                            + " With it the Message Content Intent must be on in the Developer"
                            + " Portal.")
    boolean messageContent() default false;

    /** Shards. */
    @AttributeDefinition(
            min = "1",
            max = "64",
            description =
                    "Connections among which Discord divides the servers of the bot. One is enough"
                            + " for 2,500 servers.")
    int shards() default 1;

    /** Other programs. */
    @AttributeDefinition(
            required = false,
            description =
                    "Ids of the bots and webhooks whose messages are handed in, each marked as a"
                            + " bot's. Those of others are ignored.")
    String[] acceptBots() default {};

    /** Slash commands. */
    @AttributeDefinition(
            description =
                    "Whether slash commands are offered in Discord. When it is off none are"
                            + " registered, and those that are there stay.")
    boolean slashCommands() default true;

    /** Previews of links. */
    @AttributeDefinition(
            description =
                    "Whether Discord may fetch the links of an answer to show previews. A model"
                            + " that was deceived can put data into a link, and a preview sends it"
                            + " off without a click.")
    boolean linkPreviews() default false;

    /** Size of files. */
    @AttributeDefinition(
            min = "0",
            description =
                    "Largest attached file in bytes that is handed in with a reference to it. Of"
                            + " a larger one the name and size are told alone.")
    long maxAttachmentBytes() default 10_485_760;

    /** Reach of the catching up. */
    @AttributeDefinition(
            min = "0",
            max = "168",
            description =
                    "How many hours back messages are fetched that were written while Discord had"
                            + " given the session up; 0 fetches none.")
    int backfillHours() default 24;

    /** Compression. */
    @AttributeDefinition(
            description = "Whether Discord is asked to compress what it sends over connections.")
    boolean compress() default true;
}
