package palyra.shared.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.Conversation;
import palyra.api.channel.OutboundMessage;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * A message to a conversation of a chat platform as the outbox keeps it. Pure.
 *
 * @param kind {@link #ANSWER}, {@link #FAILURE}, {@code message}, {@code notice}, {@code question},
 *     {@link #DRAFT}, {@link #EDIT}, {@link #REACTION} or {@link #STATE}
 * @param text CommonMark; of a reaction one emoji, or the platform's name of one
 * @param conversation where to
 * @param replyTo platform's id of the message that it answers; empty for none
 * @param editsOutboxId outbox id of the message that it replaces; empty for a new one
 * @param reactionTo platform's id of the message that is reacted to; empty unless it is a reaction
 * @param skill skill that sends it; empty for what the gateway sends itself
 * @param buttons buttons below its last part
 * @param parts the texts of which it is sent, as the connector cut them; empty while they were not
 *     made
 * @param files files that its last part carries; their content is in the state folder
 */
public record Outbound(
        String kind,
        String text,
        Conversation conversation,
        String replyTo,
        String editsOutboxId,
        String reactionTo,
        String skill,
        List<OutboundMessage.Button> buttons,
        List<String> parts,
        List<File> files) {
    /**
     * A file of a message.
     *
     * @param name file name without a folder
     * @param mediaType media type
     * @param bytes size in bytes
     * @param sha256 digest of the content, lower-case hex
     */
    public record File(String name, String mediaType, long bytes, String sha256) {}

    /** Kind of the answer of a run. */
    public static final String ANSWER = "answer";

    /** Kind of what is said in place of an answer. */
    public static final String FAILURE = "failure";

    /**
     * Kind of an answer that is shown while it is made, and of what ends it when there is no
     * answer. Nothing is lost with it, so it is sent by one attempt and never a dead letter.
     */
    public static final String DRAFT = "draft";

    /** Kind of a change that never becomes a message of its own. */
    public static final String EDIT = "edit";

    /** Kind of a reaction to a message. */
    public static final String REACTION = "reaction";

    /**
     * Kind of a reaction that shows what became of a message. Nothing is lost with it, so it is
     * never a dead letter.
     */
    public static final String STATE = "state";

    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    private static final String CONVERSATION = "conversation";

    /** Checks and copies. */
    public Outbound {
        Require.text(kind, "kind of a message");
        files = List.copyOf(files);
        text = Require.orEmpty(text);
        Require.that(!text.isBlank() || !files.isEmpty(), "text of a message is missing or blank");
        Require.present(conversation, "conversation");
        replyTo = Require.orEmpty(replyTo);
        editsOutboxId = Require.orEmpty(editsOutboxId);
        reactionTo = Require.orEmpty(reactionTo);
        skill = Require.orEmpty(skill);
        buttons = List.copyOf(buttons);
        parts = List.copyOf(parts);
    }

    /** Creates a message of the gateway's own, or a change of one. */
    public Outbound(
            String kind,
            String text,
            Conversation conversation,
            String replyTo,
            String editsOutboxId,
            List<OutboundMessage.Button> buttons,
            List<String> parts) {
        this(kind, text, conversation, replyTo, editsOutboxId, "", "", buttons, parts);
    }

    /** Creates a message without files, a change of one, or a reaction to one. */
    public Outbound(
            String kind,
            String text,
            Conversation conversation,
            String replyTo,
            String editsOutboxId,
            String reactionTo,
            String skill,
            List<OutboundMessage.Button> buttons,
            List<String> parts) {
        this(
                kind,
                text,
                conversation,
                replyTo,
                editsOutboxId,
                reactionTo,
                skill,
                buttons,
                parts,
                List.of());
    }

    /** Returns a message with a file; its text may be empty. */
    public static Outbound ofFile(String text, Conversation conversation, File file) {
        return new Outbound(
                "message", text, conversation, "", "", "", "", List.of(), List.of(), List.of(file));
    }

    /** Returns a message of text alone. */
    public static Outbound of(String kind, String text, Conversation conversation, String replyTo) {
        return new Outbound(kind, text, conversation, replyTo, "", List.of(), List.of());
    }

    /** Returns a message of a skill. */
    public static Outbound ofSkill(String skill, String text, Conversation conversation) {
        return new Outbound("message", text, conversation, "", "", "", skill, List.of(), List.of());
    }

    /** Returns the change of a message that a skill sent. */
    public static Outbound edit(
            String skill, String outboxId, String text, Conversation conversation) {
        return new Outbound(
                EDIT, text, conversation, "", outboxId, "", skill, List.of(), List.of());
    }

    /** Returns a skill's reaction to a message. */
    public static Outbound reaction(
            String skill, String messageId, String text, Conversation conversation) {
        return new Outbound(
                REACTION, text, conversation, "", "", messageId, skill, List.of(), List.of());
    }

    /** Returns the gateway's reaction to a message, which shows what became of it. */
    public static Outbound state(String messageId, String text, Conversation conversation) {
        return new Outbound(STATE, text, conversation, "", "", messageId, "", List.of(), List.of());
    }

    /** Returns whether it is a reaction to a message. */
    public boolean isReaction() {
        return kind.equals(REACTION) || kind.equals(STATE);
    }

    /** Returns whether nothing is lost when it is not sent. */
    public boolean isDispensable() {
        return kind.equals(DRAFT) || kind.equals(STATE);
    }

    /** Returns the same with its parts. */
    public Outbound in(List<String> texts) {
        return with(editsOutboxId, texts);
    }

    /** Returns the same in the place of a message that was sent. */
    public Outbound editing(String outboxId) {
        return with(outboxId, parts);
    }

    private Outbound with(String edits, List<String> texts) {
        return new Outbound(
                kind, text, conversation, replyTo, edits, reactionTo, skill, buttons, texts, files);
    }

    /** Returns canonical JSON. */
    public byte[] bytes() {
        ObjectNode tree = MAPPER.createObjectNode();
        tree.put("kind", kind).put("text", text);
        tree.set(CONVERSATION, MAPPER.valueToTree(conversation));
        putUnlessEmpty(tree, "replyTo", replyTo);
        putUnlessEmpty(tree, "edits", editsOutboxId);
        putUnlessEmpty(tree, "reactionTo", reactionTo);
        putUnlessEmpty(tree, "skill", skill);
        if (!buttons.isEmpty()) {
            tree.set("buttons", MAPPER.valueToTree(buttons));
        }
        if (!parts.isEmpty()) {
            ArrayNode array = tree.putArray("parts");
            parts.forEach(array::add);
        }
        if (!files.isEmpty()) {
            tree.set("files", MAPPER.valueToTree(files));
        }
        return Jcs.bytes(tree);
    }

    private static void putUnlessEmpty(ObjectNode tree, String name, String value) {
        if (!value.isEmpty()) {
            tree.put(name, value);
        }
    }

    /** Undoes {@link #bytes}; CORRUPT when the bytes are no such message. */
    public static Outbound read(byte[] bytes) {
        try {
            JsonNode tree = StrictJson.parse(bytes, "an outbound message");
            List<OutboundMessage.Button> buttons = new ArrayList<>();
            for (JsonNode button : tree.path("buttons")) {
                buttons.add(MAPPER.treeToValue(button, OutboundMessage.Button.class));
            }
            List<String> parts = new ArrayList<>();
            tree.path("parts").forEach(part -> parts.add(part.asText()));
            List<File> files = new ArrayList<>();
            for (JsonNode file : tree.path("files")) {
                files.add(MAPPER.treeToValue(file, File.class));
            }
            return new Outbound(
                    tree.path("kind").asText(),
                    tree.path("text").asText(),
                    MAPPER.treeToValue(tree.path(CONVERSATION), Conversation.class),
                    tree.path("replyTo").asText(),
                    tree.path("edits").asText(),
                    tree.path("reactionTo").asText(),
                    tree.path("skill").asText(),
                    buttons,
                    parts,
                    files);
        } catch (JsonProcessingException | IllegalArgumentException | PalyraException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "A message in the outbox cannot be read back; run palyra doctor to look at the"
                            + " journal.",
                    e);
        }
    }

    /**
     * Returns the key of a part, which is the same for good: the 16 bytes of the outbox id in
     * base64url (RFC 4648), and the part in base 36. At most 24 characters, for platforms whose
     * nonce has at most 25.
     */
    public static String key(String outboxId, int part) {
        String suffix = Integer.toString(part, 36);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Ulids.bytes(outboxId))
                + (suffix.length() < 2 ? "0" + suffix : suffix);
    }
}
