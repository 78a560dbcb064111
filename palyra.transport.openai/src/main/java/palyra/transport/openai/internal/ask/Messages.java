package palyra.transport.openai.internal.ask;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import palyra.transport.openai.internal.http.RefusedException;

/** Collects the messages of a request. Used by one thread. */
final class Messages {
    private final String field;
    private final List<String> instructions = new ArrayList<>();
    private final List<Said> said = new ArrayList<>();

    Messages(String field) {
        this.field = field;
    }

    void add(String role, String text) {
        switch (role) {
            case "system", "developer" -> instruct(text);
            case "user" -> said.add(new Said(Said.Role.USER, text));
            case "assistant" -> said.add(new Said(Said.Role.ASSISTANT, text));
            case "tool", "function" -> said.add(new Said(Said.Role.TOOL, text));
            default ->
                    throw RefusedException.invalid(
                            field,
                            "A message has a role that is not known; use user or assistant.");
        }
    }

    void instruct(String text) {
        if (!text.isBlank()) {
            instructions.add(text);
        }
    }

    String instructions() {
        return String.join("\n\n", instructions);
    }

    /** Returns what was said before the newest message. */
    List<Said> earlier() {
        return said.subList(0, Math.max(0, said.size() - 1)).stream()
                .filter(each -> !each.text().isBlank()) // one that only called a tool
                .toList();
    }

    /** Returns the newest message, which is the user's. */
    String newest() {
        if (said.isEmpty()) {
            throw RefusedException.invalid(
                    field, field + " has no message of the user; send one with the role user.");
        }
        Said last = said.getLast();
        if (last.role() != Said.Role.USER) {
            throw RefusedException.invalid(
                    field,
                    "The last message is not the user's: the agent answers users, and neither"
                            + " continues texts nor takes results of a client's tools. End with a"
                            + " message of the role user.");
        }
        if (last.text().isBlank()) {
            throw RefusedException.invalid(
                    field, "The newest message is empty; send the text that is to be answered.");
        }
        return last.text();
    }

    /** Returns where the last message of the user is in a list; -1 without one. */
    static int lastOfUser(JsonNode list) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).path("role").asText().equals("user")) {
                return i;
            }
        }
        return -1;
    }
}
