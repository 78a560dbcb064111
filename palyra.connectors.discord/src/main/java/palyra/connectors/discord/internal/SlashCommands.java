package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The slash commands that the connector offers. Pure. */
final class SlashCommands {
    static final String ASK = "ask";
    static final String APPROVE = "approve";
    static final String STATUS = "status";
    static final String NEW = "new";
    static final String STOP = "stop";
    static final String AGENT = "agent";
    static final String HELP = "help";
    static final String TEXT = "text";
    static final String CODE = "code";
    static final String NAME = "name";
    static final String DECISION = "decision";
    static final String DENY = "deny";

    private static final int STRING = 3;
    private static final Set<String> COMPARED =
            Set.of("name", "description", "required", "type", "max_length", "min_length", "value");

    private SlashCommands() {}

    /** Returns the commands as Discord takes them. */
    static List<ObjectNode> all() {
        ObjectNode ask = command(ASK, "Ask the agent of this conversation");
        text(ask, TEXT, "What you want to know or have done", true, 4_000);
        ObjectNode approve = command(APPROVE, "Answer an approval request by its code");
        text(approve, CODE, "The six characters that the request names", true, 6);
        ObjectNode decision =
                ((ArrayNode) approve.path("options"))
                        .addObject()
                        .put("type", STRING)
                        .put("name", DECISION)
                        .put("description", "Approve unless you say otherwise")
                        .put("required", false);
        ArrayNode choices = decision.putArray("choices");
        choices.addObject().put("name", APPROVE).put("value", APPROVE);
        choices.addObject().put("name", DENY).put("value", DENY);
        ObjectNode agent = command(AGENT, "Show which agent answers here, or choose one");
        text(agent, NAME, "The agent that is to answer", false, 64);
        return List.of(
                ask,
                approve,
                command(STATUS, "Show what works and waits here, and whether the bot is well"),
                command(NEW, "Begin a new conversation here"),
                command(STOP, "Cancel what works or waits here"),
                command(HELP, "Show what may be written here"),
                agent);
    }

    private static ObjectNode command(String name, String description) {
        ObjectNode command =
                DiscordApi.JSON
                        .createObjectNode()
                        .put("type", 1)
                        .put("name", name)
                        .put("description", description);
        command.putArray("integration_types").add(0); // of servers
        command.putArray("contexts").add(0).add(1); // in servers, and with the bot alone
        return command;
    }

    private static void text(
            ObjectNode command, String name, String description, boolean required, int most) {
        command.withArray("options")
                .addObject()
                .put("type", STRING)
                .put("name", name)
                .put("description", description)
                .put("required", required)
                .put("max_length", most);
    }

    /** Returns those that are not there, or not so. */
    static List<ObjectNode> missing(JsonNode there) {
        List<ObjectNode> missing = new ArrayList<>();
        for (ObjectNode wanted : all()) {
            boolean same = false;
            for (JsonNode one : there) {
                same |= one.path("name").equals(wanted.path("name")) && isSame(one, wanted);
            }
            if (!same) {
                missing.add(wanted);
            }
        }
        return missing;
    }

    private static boolean isSame(JsonNode there, JsonNode wanted) {
        for (String field : COMPARED) {
            if (!text(there, field).equals(text(wanted, field))) {
                return false;
            }
        }
        for (String list : List.of("options", "choices")) {
            JsonNode have = there.path(list);
            JsonNode want = wanted.path(list);
            if (have.size() != want.size()) {
                return false;
            }
            for (int i = 0; i < want.size(); i++) {
                if (!isSame(have.path(i), want.path(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What Discord leaves out is what it takes for the usual. */
    private static String text(JsonNode of, String field) {
        String text = of.path(field).asText("");
        return text.equals("false") || text.equals("null") ? "" : text;
    }
}
