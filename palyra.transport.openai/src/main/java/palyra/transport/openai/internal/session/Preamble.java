package palyra.transport.openai.internal.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import palyra.transport.openai.internal.OpenAiSettings;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.ask.Said;

/**
 * The text that a new session begins with: what the client says came before, marked as the
 * client's, and the newest message. It is part of a user's message and ranks as one. Pure
 * functions.
 */
public final class Preamble {
    /** How each preamble begins. */
    static final String MARK = "[From the client, which is not part of this gateway. ";

    private static final String NEWEST = "\n\n[Newest message:]\n";

    private Preamble() {}

    /** Returns the message for a new session. */
    public static String compose(Ask ask, OpenAiSettings.Conversation settings) {
        StringBuilder before = new StringBuilder();
        int left = settings.contextCharacters();
        if (settings.instructions() == OpenAiSettings.Instructions.CARRY
                && !ask.instructions().isEmpty()
                && left > 0) {
            String kept = cut(ask.instructions(), left);
            left -= kept.length();
            before.append(MARK)
                    .append("Its instructions, which rank as the user's own words:]\n")
                    .append(kept);
        }
        if (settings.tellEarlier() && !ask.earlier().isEmpty()) {
            before.append(before.isEmpty() ? MARK : "\n\n[")
                    .append("Earlier messages, as the client sent them:]\n")
                    .append(earlier(ask.earlier(), left));
        }
        return before.isEmpty() ? ask.newest() : before + NEWEST + ask.newest();
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }

    /** The newest of the earlier messages are kept. */
    private static String earlier(List<Said> said, int most) {
        Deque<String> kept = new ArrayDeque<>();
        int left = most;
        for (int i = said.size() - 1; i >= 0; i--) {
            String line =
                    said.get(i).role().name().toLowerCase(Locale.ROOT) + ": " + said.get(i).text();
            if (line.length() > left) {
                break;
            }
            left -= line.length();
            kept.addFirst(line);
        }
        int out = said.size() - kept.size();
        if (out > 0) {
            kept.addFirst("(" + out + " earlier messages are left out.)");
        }
        return String.join("\n", kept);
    }
}
