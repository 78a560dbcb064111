package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.api.Require;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.Sender;
import palyra.shared.connector.Reading;
import palyra.shared.connector.Texts;

/**
 * A slash command that someone gave, a button that someone pressed, or a form that someone filled
 * in.
 *
 * @param id its id
 * @param application id of the application
 * @param token by what it is answered; a secret for a quarter of an hour
 * @param kind what it is
 * @param name of the command, or data of the button, also of the one that the form was opened by
 * @param sender who
 * @param place where
 * @param options options of the command, or fields of the form
 */
record Interaction(
        String id,
        String application,
        String token,
        Kind kind,
        String name,
        Sender sender,
        Place place,
        JsonNode options) {
    private static final String REASON = "reason";
    private static final int OPEN_FORM = 9;
    private static final int LABEL = 18;
    private static final int TEXT_INPUT = 4;
    private static final int PARAGRAPH = 2;

    /** What it is. */
    enum Kind {
        COMMAND,
        BUTTON,
        FORM,
        OTHER
    }

    /** Reads one. INVALID_ARGUMENT when it is malformed. */
    static Interaction read(JsonNode event, Place place) {
        return Reading.of(() -> of(event, place));
    }

    private static Interaction of(JsonNode event, Place place) {
        JsonNode member = event.path("member");
        JsonNode user = member.has("user") ? member.path("user") : event.path("user");
        JsonNode data = event.path("data");
        String token = event.path("token").asText("");
        Require.that(
                token.matches("[A-Za-z0-9_.=-]{1,1024}"),
                "the token of an interaction is not usable");
        Kind kind =
                switch (event.path("type").asInt()) {
                    case 2 -> Kind.COMMAND;
                    case 3 -> Kind.BUTTON;
                    case 5 -> Kind.FORM;
                    default -> Kind.OTHER;
                };
        return new Interaction(
                MessageReader.snowflake(event, "id"),
                MessageReader.snowflake(event, "application_id"),
                token,
                kind,
                data.path(kind == Kind.COMMAND ? "name" : "custom_id").asText(""),
                MessageReader.sender(user, member, false),
                place,
                data.path(kind == Kind.FORM ? "components" : "options"));
    }

    /** Returns when it was made, in unix time in milliseconds by Discord's clock. */
    long millis() {
        return Snowflakes.millis(Long.parseLong(id));
    }

    /** Returns the text of an option; empty without it. */
    String option(String option) {
        for (JsonNode one : options) {
            if (one.path("name").asText().equals(option)) {
                return Texts.wellFormed(one.path("value").asText(""));
            }
        }
        return "";
    }

    /** Returns what was filled in as the reason; empty for nothing. */
    String reason() {
        for (JsonNode field : options) {
            JsonNode input = field.path("component");
            if (input.path("custom_id").asText().equals(REASON)) {
                return Texts.wellFormed(input.path("value").asText(""));
            }
        }
        return "";
    }

    /** Returns a form that asks why, as Discord takes it. */
    JsonNode reasonForm() {
        ObjectNode form = DiscordApi.JSON.createObjectNode().put("type", OPEN_FORM);
        ObjectNode data = form.putObject("data").put("custom_id", name).put("title", "Reason");
        ObjectNode label =
                data.putArray("components")
                        .addObject()
                        .put("type", LABEL)
                        .put("label", "Why? You may leave this empty.");
        label.putObject("component")
                .put("type", TEXT_INPUT)
                .put("custom_id", REASON)
                .put("style", PARAGRAPH)
                .put("required", false)
                .put("max_length", ConnectorContext.MAX_REASON);
        return form;
    }

    @Override
    public String toString() {
        return kind + " " + id; // the token stays out of logs
    }
}
