package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Discord refuses of messages, and what it makes of what it takes. */
final class Messages {
    static final int SUPPRESS_EMBEDS = 1 << 2;
    static final int HAS_THREAD = 1 << 5;
    static final int EPHEMERAL = 1 << 6;
    static final int LOADING = 1 << 7;
    static final int SUPPRESS_NOTIFICATIONS = 1 << 12;
    static final int COMPONENTS_V2 = 1 << 15;

    /** What may be asked for when a message is made. */
    static final int ASKED_FLAGS =
            SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2;

    static final int MAX_TEXT = 2_000;
    static final int MAX_NONCE = 25;
    static final int MAX_FILE_BYTES = 10 << 20;

    private static final int MAX_COMPONENTS = 40;
    private static final int MAX_COMPONENT_TEXT = 4_000;
    private static final int MAX_EMBED_TEXT = 6_000;
    private static final int CONTAINER = 17;
    private static final Pattern USER = Pattern.compile("<@!?([0-9]+)>");
    private static final Pattern ROLE = Pattern.compile("<@&([0-9]+)>");
    private static final Pattern EVERYONE = Pattern.compile("@(everyone|here)\\b");

    private Messages() {}

    /**
     * Refuses what no message may be.
     *
     * @param asked the request
     * @param flags flags that the message will have
     * @param files how many files come with it
     */
    static void check(JsonNode asked, int flags, int files) {
        String content = asked.path("content").asText("");
        if (content.codePointCount(0, content.length()) > MAX_TEXT) {
            throw Refusal.form(
                    "content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.");
        }
        checkNonce(asked.path("nonce"));
        checkEmbeds(asked.path("embeds"));
        checkMentions(asked.path("allowed_mentions"));
        boolean onlyComponents = (flags & COMPONENTS_V2) != 0;
        if (onlyComponents && (!content.isEmpty() || !asked.path("embeds").isEmpty())) {
            String field = content.isEmpty() ? "embeds" : "content";
            throw Refusal.form(
                    field,
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                            .formatted(field));
        }
        checkComponents(asked.path("components"), onlyComponents);
        if (files > 10) {
            throw Refusal.form("files", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
        }
    }

    /** Refuses a message in which there is nothing. */
    static void checkFilled(ObjectNode message) {
        for (String part : new String[] {"embeds", "components", "attachments"}) {
            if (!message.path(part).isEmpty()) {
                return;
            }
        }
        if (message.path("content").asText().isBlank()) {
            throw Refusal.of(400, 50006, "Cannot send an empty message");
        }
    }

    private static void checkNonce(JsonNode nonce) {
        if (nonce.isTextual() && nonce.textValue().length() > MAX_NONCE) {
            throw Refusal.form("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
        }
    }

    private static void checkEmbeds(JsonNode embeds) {
        int length = 0;
        for (JsonNode embed : embeds) {
            length += embed.path("title").asText("").length();
            length += embed.path("description").asText("").length();
            length += embed.path("footer").path("text").asText("").length();
            length += embed.path("author").path("name").asText("").length();
            for (JsonNode field : embed.path("fields")) {
                length += field.path("name").asText("").length();
                length += field.path("value").asText("").length();
            }
        }
        if (length > MAX_EMBED_TEXT) {
            throw Refusal.form(
                    "embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000");
        }
    }

    private static void checkMentions(JsonNode allowed) {
        for (JsonNode kind : allowed.path("parse")) {
            if (!allowed.path(kind.asText()).isEmpty()) {
                throw Refusal.form(
                        "allowed_mentions",
                        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                        "parse:[\"%s\"] and %s: [ids...] are mutually exclusive."
                                .formatted(kind.asText(), kind.asText()));
            }
        }
    }

    private static void checkComponents(JsonNode components, boolean onlyComponents) {
        Census census = new Census();
        census.take(components, "components");
        if (!onlyComponents) {
            for (int at = 0; at < components.size(); at++) {
                if (components.path(at).path("type").asInt() != 1) {
                    throw Refusal.form(
                            "components." + at + ".type",
                            "UNION_TYPE_CHOICES",
                            "Value of field \"type\" must be one of (1,).");
                }
            }
        }
        if (onlyComponents && census.count > MAX_COMPONENTS) {
            throw Refusal.form(
                    "components",
                    "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                    "The total number of components cannot exceed 40");
        }
        if (!onlyComponents && components.size() > 5) {
            throw Refusal.form(
                    "components", "BASE_TYPE_MAX_LENGTH", "Must be 5 or fewer in length.");
        }
        if (census.text > MAX_COMPONENT_TEXT) {
            throw Refusal.form(
                    "components",
                    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                    "The displayable text size of the components exceeds the maximum of 4000");
        }
    }

    /** Counts the components of a message. */
    private static final class Census {
        private final Set<String> customIds = new HashSet<>();
        private int count;
        private int text;

        void take(JsonNode components, String place) {
            for (int at = 0; at < components.size(); at++) {
                one(components.path(at), place + "." + at);
            }
        }

        private void one(JsonNode component, String place) {
            count++;
            if (component.path("type").asInt() == 10) {
                text += component.path("content").asText("").length();
            }
            String customId = component.path("custom_id").asText("");
            if (!customId.isEmpty() && !customIds.add(customId)) {
                throw Refusal.form(
                        place + ".custom_id",
                        "COMPONENT_CUSTOM_ID_DUPLICATED",
                        "Component custom id cannot be duplicated");
            }
            take(component.path("components"), place + ".components");
            if (component.path("accessory").isObject()) {
                one(component.path("accessory"), place + ".accessory");
            }
        }
    }

    /** Returns components as Discord gives them back: numbered, and with what was left out. */
    static ArrayNode components(JsonNode asked) {
        ArrayNode numbered = Json.NODES.arrayNode();
        int[] next = {1};
        asked.forEach(one -> numbered.add(component(Json.withoutNulls(one), next)));
        return numbered;
    }

    private static JsonNode component(JsonNode asked, int[] next) {
        ObjectNode component = asked.deepCopy();
        if (!component.has("id")) {
            component.put("id", next[0]++);
        }
        switch (component.path("type").asInt()) {
            case 3, 5, 6, 7, 8 -> absent(component, "min_values", 1, "max_values", 1);
            case 11 -> absent(component, "description", null, "spoiler", false);
            case 12 ->
                    component
                            .path("items")
                            .forEach(
                                    item -> {
                                        absent(
                                                (ObjectNode) item,
                                                "description",
                                                null,
                                                "spoiler",
                                                false);
                                        media(item.path("media"));
                                    });
            case 13 -> absent(component, "name", null, "size", null, "spoiler", false);
            case 14 -> absent(component, "spacing", 1, "divider", true);
            case CONTAINER -> absent(component, "accent_color", null, "spoiler", false);
            default -> {}
        }
        media(component.path("media"));
        media(component.path("file"));
        if (component.path("components").isArray()) {
            ArrayNode children = Json.NODES.arrayNode();
            component.path("components").forEach(one -> children.add(component(one, next)));
            component.set("components", children);
        }
        if (component.path("accessory").isObject()) {
            component.set("accessory", component(component.path("accessory"), next));
        }
        return component;
    }

    private static void media(JsonNode media) {
        if (media instanceof ObjectNode object) {
            absent(object, "id", "1", "proxy_url", object.path("url").asText());
        }
    }

    private static void absent(ObjectNode object, Object... defaults) {
        for (int at = 0; at < defaults.length; at += 2) {
            if (!object.has((String) defaults[at])) {
                Json.put(object, defaults[at], defaults[at + 1]);
            }
        }
    }

    /** Returns embeds as Discord gives them back. */
    static ArrayNode embeds(JsonNode asked) {
        ArrayNode embeds = Json.NODES.arrayNode();
        for (JsonNode one : asked) {
            ObjectNode embed = Json.withoutNulls(one).deepCopy();
            embed.put("type", "rich");
            for (JsonNode field : embed.path("fields")) {
                absent((ObjectNode) field, "inline", false);
            }
            embeds.add(embed);
        }
        return embeds;
    }

    /** Returns the ids of the users that a text mentions, as far as it is allowed to. */
    static Set<String> mentioned(String content, JsonNode allowed) {
        Set<String> ids = new TreeSet<>();
        Matcher user = USER.matcher(content);
        while (user.find()) {
            String id = user.group(1);
            if (allows(allowed, "users") || has(allowed.path("users"), id)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Returns the ids of the roles that a text mentions, as far as it is allowed to. */
    static Set<String> mentionedRoles(String content, JsonNode allowed) {
        Set<String> ids = new TreeSet<>();
        Matcher role = ROLE.matcher(content);
        while (role.find()) {
            String id = role.group(1);
            if (allows(allowed, "roles") || has(allowed.path("roles"), id)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Returns whether a text calls all members, and is allowed to. */
    static boolean callsEveryone(String content, JsonNode allowed) {
        return EVERYONE.matcher(content).find() && allows(allowed, "everyone");
    }

    private static boolean allows(JsonNode allowed, String kind) {
        return !allowed.isObject() || has(allowed.path("parse"), kind);
    }

    private static boolean has(JsonNode array, String text) {
        for (JsonNode one : array) {
            if (one.asText().equals(text)) {
                return true;
            }
        }
        return false;
    }
}
