package palyra.connectors.discord.internal;

import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorStatus;

/** What the one who gave a command is told of it, for people who chat. Pure. */
final class Replies {
    private static final String BY_MESSAGE = "The answer comes as a message here.";

    private Replies() {}

    /** Returns what became of a question to the agent. */
    static String asked(Acceptance asked) {
        boolean taken =
                asked.outcome() == Acceptance.Outcome.STORED
                        || asked.outcome() == Acceptance.Outcome.KNOWN && asked.reason().isEmpty();
        return taken ? "Asked. " + BY_MESSAGE : given(asked);
    }

    /** Returns what the gateway answers to a command. */
    static String given(Acceptance given) {
        if (!given.said().isBlank()) {
            return given.said();
        }
        return isAnswered(given) ? BY_MESSAGE : ignored(given.reason());
    }

    /** Returns the state of a conversation; how the bot is does not concern strangers. */
    static String status(Acceptance given, ConnectorStatus now) {
        String connector =
                "Bot: " + now.state() + (now.reason().isEmpty() ? "" : ": " + now.reason());
        return isAnswered(given) ? connector + "\n" + given(given) : given(given);
    }

    private static boolean isAnswered(Acceptance given) {
        return given.reason().equals("command") || given.reason().equals("approval_answer");
    }

    private static String ignored(String reason) {
        return switch (reason) {
            case "channel_disabled" -> "This bot answers no one in this conversation.";
            case "sender_denied", "sender_not_allowlisted" ->
                    "This bot does not answer you here. Its operator decides whom it answers.";
            case "sender_is_bot" -> "This bot answers no other programs here.";
            case "direct_message_denied_by_policy" ->
                    "This bot answers no direct messages. Ask it in a server.";
            case "direct_message_pairing_required" ->
                    "You are not known here yet. Write to this bot for a code, and tell it the"
                            + " operator.";
            case "denied_by_policy" ->
                    "You may not do this here. The operator of this bot can permit it.";
            case "agent_not_found" ->
                    "The agent of this conversation does not exist. Tell the operator of this bot.";
            default -> "This is not answered here: " + reason.replace('_', ' ') + ".";
        };
    }
}
