package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import palyra.api.Require;
import palyra.api.channel.Sender;
import palyra.shared.connector.Reading;
import palyra.shared.connector.Texts;

/**
 * A slash command that someone gave, or a button that someone pressed.
 *
 * @param id its id
 * @param application id of the application
 * @param token by what it is answered; a secret for a quarter of an hour
 * @param kind what it is
 * @param name of the command, or data of the button
 * @param sender who
 * @param place where
 * @param options options of the command
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
    /** What it is. */
    enum Kind {
        COMMAND,
        BUTTON,
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
                data.path("options"));
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

    @Override
    public String toString() {
        return kind + " " + id; // the token stays out of logs
    }
}
