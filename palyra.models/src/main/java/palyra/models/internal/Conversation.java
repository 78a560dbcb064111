package palyra.models.internal;

import java.util.List;
import palyra.api.PalyraException;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.shared.json.StrictJson;

/** What the deterministic model reads out of a conversation. Pure. */
record Conversation(List<ModelMessage> messages) {
    Conversation {
        messages = List.copyOf(messages);
    }

    /** Returns the last user text; empty without one. */
    String lastUserText() {
        int at = lastUser();
        return at < 0 ? "" : messages.get(at).text();
    }

    /** Returns how often the model has spoken since the last thing a person said. */
    int turnsSince() {
        int count = 0;
        for (int i = lastUser() + 1; i < messages.size(); i++) {
            count += messages.get(i) instanceof ModelMessage.Assistant ? 1 : 0;
        }
        return count;
    }

    /**
     * An event appended to a run reaches the model as a message of a user too; passing over it
     * keeps a script going. When there is nothing but events, the last of them counts.
     */
    private int lastUser() {
        int lastEvent = -1;
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i) instanceof ModelMessage.User user) {
                if (!isEvent(user.text())) {
                    return i;
                }
                lastEvent = Math.max(lastEvent, i);
            }
        }
        return lastEvent;
    }

    /** Events are written {@code [kind] JSON}. */
    private static boolean isEvent(String text) {
        int end = text.indexOf("] ");
        if (!text.startsWith("[") || end < 2 || !text.substring(1, end).matches("[\\w.:-]+")) {
            return false;
        }
        try {
            StrictJson.parse(text.substring(end + 2), "the event");
            return true;
        } catch (PalyraException e) {
            return false; // a person who likes brackets
        }
    }

    /** Returns what the last tool put out; null when no tool was called. */
    String lastToolOutput() {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i) instanceof ModelMessage.ToolOutput output) {
                return output.text();
            }
        }
        return null;
    }

    /** Returns how many words the model was shown. */
    long words() {
        long words = 0;
        for (ModelMessage message : messages) {
            words += Words.count(message.text());
            if (message instanceof ModelMessage.Assistant assistant) {
                for (ToolProposal proposal : assistant.proposals()) {
                    words += Words.count(proposal.inputJson());
                }
            }
        }
        return words;
    }
}
