package palyra.shared.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The stored form of a submitted message, and what makes two submissions the same one. The front
 * that accepts messages while the gateway is away and the gateway's own intake both use it, so that
 * a message sent again is recognised by both. Pure functions.
 */
public final class SubmissionCodec {
    private static final String MESSAGE_ID = "messageId";
    private static final String ALLOW_SENSITIVE = "allowSensitiveTools";
    private static final String GROUPS = "principalGroups";
    private static final String PERSON = "principalPerson";

    private static final String WHILE_RUNNING = "whileRunning";

    /** Members that the first form did not have: left out while they say nothing. */
    private static final List<String> LATER =
            List.of(
                    "runId",
                    "sessionLabel",
                    "requireExisting",
                    "originRunId",
                    ALLOW_SENSITIVE,
                    "origin",
                    WHILE_RUNNING);

    private static final List<String> LATER_OF_ORIGIN = List.of("revision", "files");

    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private SubmissionCodec() {}

    /**
     * Returns the message as canonical JSON of its record components, in UTF-8. Members that came
     * after the first form are left out while they are empty or false, so bytes and digest of a
     * message without them stay what they were.
     *
     * @throws PalyraException INVALID_ARGUMENT when a text holds half of a surrogate pair: its
     *     bytes would not be those that were sent
     */
    public static byte[] messageBytes(SubmittedMessage message) {
        return Jcs.bytes(tree(message));
    }

    /**
     * Returns what the inbox keeps: the message, and in which groups its principal was when it was
     * let in, so that a run asks policy the same questions after a restart. The groups are left out
     * when empty.
     */
    public static byte[] storedBytes(SubmittedMessage message, Set<String> principalGroups) {
        return storedBytes(message, principalGroups, "");
    }

    /**
     * The same for a message that another credential than the principal's own brought.
     *
     * @param person principal that the credential belongs to; empty when it is the message's own
     */
    public static byte[] storedBytes(
            SubmittedMessage message, Set<String> principalGroups, String person) {
        ObjectNode tree = tree(message);
        if (!person.isEmpty()) {
            tree.put(PERSON, person);
        }
        if (!principalGroups.isEmpty()) {
            ArrayNode groups = tree.putArray(GROUPS);
            new TreeSet<>(principalGroups).forEach(groups::add);
        }
        return Jcs.bytes(tree);
    }

    /**
     * Returns the groups that {@link #storedBytes} wrote; empty without groups.
     *
     * @throws PalyraException CORRUPT when the bytes hold no such groups
     */
    public static Set<String> principalGroups(byte[] bytes) {
        Set<String> groups = new TreeSet<>();
        for (JsonNode group : stored(bytes).path(GROUPS)) {
            if (!group.isTextual()) {
                throw unreadable(null);
            }
            groups.add(group.textValue());
        }
        return groups;
    }

    /**
     * Returns the principal whose credential brought a message; empty when it was the message's own
     * principal.
     *
     * @throws PalyraException CORRUPT when the bytes name a person that is no text
     */
    public static String person(byte[] bytes) {
        JsonNode person = stored(bytes).path(PERSON);
        if (!person.isMissingNode() && !person.isTextual()) {
            throw unreadable(null);
        }
        return person.asText("");
    }

    private static ObjectNode tree(SubmittedMessage message) {
        requireWellFormed(message);
        ObjectNode tree = MAPPER.valueToTree(message);
        if (message.whileRunning() == WhileRunning.QUEUE) {
            tree.putNull(WHILE_RUNNING);
        }
        if (tree.get("origin") instanceof ObjectNode origin) {
            LATER_OF_ORIGIN.stream()
                    .filter(
                            name ->
                                    origin.get(name).isEmpty()
                                            && origin.get(name).asText().isEmpty())
                    .forEach(origin::remove);
        }
        LATER.forEach(
                name -> {
                    JsonNode value = tree.get(name);
                    if (value.isNull()
                            || value.isTextual() && value.asText().isEmpty()
                            || value.equals(BooleanNode.FALSE)) {
                        tree.remove(name);
                    }
                });
        return tree;
    }

    /**
     * Undoes {@link #messageBytes} and {@link #storedBytes}; CORRUPT when the bytes are neither.
     */
    public static SubmittedMessage message(byte[] bytes) {
        ObjectNode tree = stored(bytes);
        tree.remove(GROUPS);
        tree.remove(PERSON);
        try {
            return MAPPER.treeToValue(tree, SubmittedMessage.class);
        } catch (JsonProcessingException | PalyraException e) {
            throw unreadable(e);
        }
    }

    private static ObjectNode stored(byte[] bytes) {
        try {
            if (StrictJson.parse(bytes, "the message") instanceof ObjectNode tree) {
                return tree;
            }
        } catch (PalyraException e) {
            throw unreadable(e);
        }
        throw unreadable(null);
    }

    private static PalyraException unreadable(Exception cause) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "A stored message cannot be read back; run palyra doctor to look at the journal.",
                cause);
    }

    /**
     * Returns what makes a submission happen once: scope {@code run.start/<principal>/<surface>},
     * the surface's dedupe key, and the digest of the message. Without a dedupe key the chosen run
     * id takes its place, in scope {@code run.start.id/<principal>}. Empty when the message has
     * neither: then every submission is a new one.
     *
     * <p>Whether sensitive tools are requested is not in the digest: the stored value is what was
     * granted the first time, and sending the message again neither widens nor trips over it.
     *
     * @throws PalyraException INVALID_ARGUMENT when the dedupe key is blank or longer than 256
     *     characters
     */
    public static Optional<IdempotencyKey> idempotencyKey(
            String principal, SubmittedMessage message) {
        // No principal id holds a slash, so no two pairs of principal and surface share a scope.
        if (!message.dedupeKey().isEmpty()) {
            return Optional.of(
                    new IdempotencyKey(
                            "run.start/" + keeper(principal, message) + "/" + message.surface(),
                            message.dedupeKey(),
                            digest(message)));
        }
        return message.runId().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new IdempotencyKey(
                                "run.start.id/" + principal, message.runId(), digest(message)));
    }

    private static String digest(SubmittedMessage message) {
        ObjectNode tree = tree(message);
        tree.remove(ALLOW_SENSITIVE);
        return Digests.sha256Hex(Jcs.bytes(tree));
    }

    /**
     * Returns the dedupe key of the inbox entry, which is unique within a surface: that of the
     * message with its principal, so that no principal can take another one's key; for a message of
     * a chat platform that of the platform alone. Empty when the message has none.
     */
    public static String inboxKey(String principal, SubmittedMessage message) {
        return message.dedupeKey().isEmpty()
                ? ""
                : keeper(principal, message) + "/" + message.dedupeKey();
    }

    /**
     * Returns within what a dedupe key is unique. The ids of a platform's messages are unique
     * within its surface, {@code KIND:ACCOUNT}; for whom a message counts may change between two
     * deliveries of it.
     */
    private static String keeper(String principal, SubmittedMessage message) {
        return message.surface().indexOf(':') < 0 ? principal : "";
    }

    /**
     * Returns the answer stored with the key: the message id alone, for the run is found through
     * the inbox entry, which may be routed later.
     */
    public static byte[] result(String messageId) {
        return Jcs.bytes(JsonNodeFactory.instance.objectNode().put(MESSAGE_ID, messageId));
    }

    /** Undoes {@link #result}; CORRUPT when the bytes are no such answer. */
    public static String messageId(byte[] result) {
        JsonNode id =
                result.length == 0
                        ? null
                        : StrictJson.parse(result, "the stored answer").get(MESSAGE_ID);
        if (id == null || !id.isTextual()) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The stored answer to an earlier submission names no message; submit it with"
                            + " another dedupe key.");
        }
        return id.textValue();
    }

    private static void requireWellFormed(SubmittedMessage message) {
        MessageOrigin origin = message.origin();
        Stream.concat(
                        files(origin),
                        Stream.of(
                                origin == null ? "" : origin.sender().name(),
                                origin == null ? "" : origin.conversation().name(),
                                origin == null ? "" : origin.responsePrefix(),
                                message.surface(),
                                message.dedupeKey(),
                                message.sessionId(),
                                message.sessionKey(),
                                message.deviceId(),
                                message.channel(),
                                message.agentId(),
                                message.text(),
                                message.runId(),
                                message.sessionLabel(),
                                message.originRunId()))
                .forEach(
                        text ->
                                Require.that(
                                        StandardCharsets.UTF_8.newEncoder().canEncode(text),
                                        "the message holds half of a surrogate pair; send"
                                                + " well-formed Unicode"));
    }

    private static Stream<String> files(MessageOrigin origin) {
        return origin == null
                ? Stream.empty()
                : origin.files().stream()
                        .flatMap(
                                file -> Stream.of(file.name(), file.mediaType(), file.reference()));
    }
}
