package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A message of the bot, as it is now.
 *
 * @param message which one
 * @param contents its texts: as posted, and after each edit; the last is what is seen
 * @param nonce the nonce it was posted with; empty for none
 * @param flags bits of {@code flags}
 * @param components its components, as Discord gives them back
 * @param reactions emoji that the bot reacted with, oldest first
 * @param attachments names of its files
 * @param replyTo id of the message it replies to; empty for none
 * @param deleted whether it was deleted
 * @param asked bodies of the requests that made and changed it, oldest first
 * @param json the whole message
 */
public record Posted(
        Message message,
        List<String> contents,
        String nonce,
        int flags,
        JsonNode components,
        List<String> reactions,
        List<String> attachments,
        String replyTo,
        boolean deleted,
        List<JsonNode> asked,
        JsonNode json) {
    /** Returns its text, as it is seen. */
    public String content() {
        return contents.get(contents.size() - 1);
    }

    /** Returns how many times it was edited. */
    public int edits() {
        return contents.size() - 1;
    }

    /** Returns whether only one person sees it. */
    public boolean isEphemeral() {
        return (flags & Messages.EPHEMERAL) != 0;
    }

    /** Returns whether it is made of components alone (Components V2). */
    public boolean isOfComponents() {
        return (flags & Messages.COMPONENTS_V2) != 0;
    }
}
