package palyra.channels.internal.command;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.channel.InboundMessage;

/** What a person may tell the gateway itself in a conversation. */
public enum ConversationCommand {
    /** The conversation is over; the next message begins another. */
    NEW,
    /** What works or waits in the conversation is cancelled. */
    STOP,
    /** Tells what works and what waits. */
    STATUS,
    /** Tells which agent answers, or chooses one. */
    AGENT,
    /** Tells which commands there are. */
    HELP;

    private static final Pattern FORM =
            Pattern.compile("/([A-Za-z]+)(@[A-Za-z0-9_.-]+)?(?:\\s+(\\S+))?");
    private static final Pattern ADDRESS = Pattern.compile("@[A-Za-z0-9_.-]+[,:]?\\s+");

    /**
     * A command that was given.
     *
     * @param argument what follows it; empty for nothing
     */
    public record Given(ConversationCommand command, String argument) {}

    /**
     * Reads a message that is a command and nothing else; a mention of the account before it is
     * left out.
     *
     * @param mentionPatterns texts that count as a mention of the account, in lower case
     */
    public static Optional<Given> read(InboundMessage message, List<String> mentionPatterns) {
        if (!message.text().contains("/") || !message.attachments().isEmpty()) {
            return Optional.empty();
        }
        String text = withoutMention(message, mentionPatterns);
        Matcher form = FORM.matcher(text);
        boolean own = message.mentionsAccount() || message.conversation().direct();
        if (!form.matches() || form.group(2) != null && !own) {
            return Optional.empty();
        }
        String argument = form.group(3) == null ? "" : form.group(3);
        for (ConversationCommand command : values()) {
            if (command.word().equalsIgnoreCase(form.group(1))) {
                return Optional.of(new Given(command, argument))
                        .filter(given -> argument.isEmpty() || command == AGENT);
            }
        }
        return Optional.empty();
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String withoutMention(InboundMessage message, List<String> patterns) {
        String text = message.text().strip();
        Matcher address = ADDRESS.matcher(text);
        if (message.mentionsAccount() && address.lookingAt()) {
            return text.substring(address.end());
        }
        for (String pattern : patterns) {
            String rest = text.substring(Math.min(pattern.length(), text.length()));
            if (text.regionMatches(true, 0, pattern, 0, pattern.length())
                    && rest.matches("(?s)[,:]?\\s+/.*")) {
                return rest.substring(rest.indexOf('/'));
            }
        }
        return text;
    }
}
