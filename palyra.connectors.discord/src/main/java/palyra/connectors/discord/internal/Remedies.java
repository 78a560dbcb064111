package palyra.connectors.discord.internal;

/** What a person can do about an error of Discord, in the names of its own pages. Pure. */
final class Remedies {
    private Remedies() {}

    /** Returns a sentence or more for a JSON error code; empty for others. */
    static String of(int code) {
        return switch (code) {
            case 10003 -> "The channel was deleted, or the bot was removed from its server.";
            case 10008 -> "The message was deleted.";
            case 10014 ->
                    "Discord knows no such emoji: write a Unicode emoji, or name:id of one of"
                            + " a server that the bot is in.";
            case 30005, 30010 -> "The message has as many reactions as Discord allows.";
            case 40005 ->
                    "The file is larger than Discord takes from bots, 10 MiB in most servers: send a"
                            + " smaller one.";
            case 50001 ->
                    "The bot does not see the channel: in its settings, Permissions, give the"
                            + " bot's role View Channel, or invite the bot into the server again.";
            case 50007 ->
                    "The person takes no direct messages of the bot: they have to share a"
                            + " server with it, allow Direct Messages in that server's Privacy Settings,"
                            + " and not block it.";
            case 50013 ->
                    "In the channel's settings, Permissions, give the bot's role Send"
                            + " Messages, Send Messages in Threads, Read Message History, Add Reactions,"
                            + " to send files Attach Files, and for threads of answers Create Public Threads.";
            case 50083 -> "The thread is archived; someone with Manage Threads has to open it.";
            case 20026, 40001 -> "Look at the application's page in the Developer Portal.";
            case 20028, 20016 -> "The channel has Slowmode: give the bot's role Bypass Slowmode.";
            case 160002 ->
                    "Give the bot's role Read Message History, without which it may not"
                            + " reply to a message.";
            case 200000, 200001 ->
                    "AutoMod of the server blocked the text; its rules are in Server"
                            + " Settings, AutoMod.";
            case 240000 -> "Discord takes the text for harmful or for spam.";
            default -> "";
        };
    }
}
