package palyra.connectors.discord.internal;

import palyra.api.channel.ConnectorId;
import palyra.api.channel.Delivery;

/** What {@code channels discord} says to who sets a bot up. Pure. */
final class SetupWords {
    static final String APPLICATION =
            "1. Make an application at https://discord.com/developers/applications, and on its page"
                    + " Bot take a token with Reset Token.";

    private SetupWords() {}

    /** Returns what is left to do before anyone is answered. */
    static String next(ConnectorId id) {
        return "4. Next: let the bot into a server by the address above, unless it is in one, and say"
                + " whom it answers. Without a rule it answers no one. One for a beginning is"
                + " conf/palyra.channels.route~"
                + id.kind()
                + "-"
                + id.account()
                + ".json with {\"connectors\": [\""
                + id
                + "\"], \"directMessages\": \"pairing\"}. Then write to the bot: it answers with a"
                + " code, and palyra pairing approve CODE lets you in. docs/channels.md has the"
                + " rest.";
    }

    /** Returns what became of a test message. */
    static Verification.Check tested(Delivery delivery) {
        String words =
                switch (delivery) {
                    case Delivery.Delivered delivered -> "It is in the channel.";
                    case Delivery.RetryAfter later ->
                            "It was not sent: " + sentence(later.reason());
                    case Delivery.Refused refused ->
                            "It was not sent: " + sentence(refused.reason());
                    case Delivery.Unknown unknown ->
                            "Look into the channel; it is not known whether it arrived: "
                                    + sentence(unknown.reason());
                };
        return new Verification.Check(
                "Test message", delivery instanceof Delivery.Delivered, words);
    }

    private static String sentence(String reason) {
        return reason.endsWith(".") ? reason : reason + ".";
    }

    /** Returns the address at which the bot is let in, for programs. */
    static Verification.Check invitation(String application) {
        return new Verification.Check("Invitation", true, Verification.invitation(application));
    }
}
