package palyra.shared.tape;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Turns tape events into payloads and back: type names as in design §5, payloads as canonical JSON
 * of the record components. Thread-safe.
 */
public final class TapeCodec {
    /** First version of every payload's form. */
    public static final int SCHEMA = 1;

    /**
     * Added to the version when the payload has a {@value #SEALED_MEMBER} member beside those of
     * the event. A reader that does not know of it takes the record for one of a newer form, and
     * guesses nothing.
     */
    public static final int SEALED = 1_000;

    private static final String SEALED_MEMBER = "sealed";

    /**
     * Members that came after the first form of a payload, by the version that brought them. A
     * record is written in the oldest form that can say what it says, byte by byte, so that only
     * what says more needs a newer reader. The first member of each version is the one that calls
     * for it.
     */
    private static final Map<Class<?>, List<List<String>>> LATER =
            Map.of(
                    TapeEvent.ToolDecision.class,
                    List.of(
                            List.of(
                                    "setSha256",
                                    "operatorReason",
                                    "missing",
                                    "tier",
                                    "egress",
                                    "confirmation",
                                    "evidenceJson"),
                            List.of("factsSha256"),
                            List.of("grantId", "approvedBy")),
                    TapeEvent.ToolStarted.class,
                    List.of(List.of("grantId")),
                    TapeEvent.ToolCallOutput.class,
                    List.of(List.of("images")),
                    TapeEvent.ExternalEvent.class,
                    List.of(List.of("actor")),
                    TapeEvent.TurnStarted.class,
                    List.of(
                            List.of("modelProfile"),
                            List.of("promptProfile"),
                            List.of("leftOut", "windowTokens"),
                            List.of("reservationId", "reservedTokens", "reservedCostMicros")),
                    TapeEvent.TurnFinished.class,
                    List.of(List.of("counting", "cachedInputTokens", "costMicros", "currency")));

    private static final Map<String, Class<? extends TapeEvent>> TYPES = types();
    private static final Map<Class<?>, String> NAMES = names();
    private static final Set<String> STREAMED = Set.of("model_token", "model_thought");
    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .defaultPropertyInclusion(
                            JsonInclude.Value.construct(
                                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build();

    private TapeCodec() {}

    private static Map<String, Class<? extends TapeEvent>> types() {
        Map<String, Class<? extends TapeEvent>> types = new LinkedHashMap<>();
        types.put("message", TapeEvent.Message.class);
        types.put("turn_started", TapeEvent.TurnStarted.class);
        types.put("model_token", TapeEvent.ModelToken.class);
        types.put("model_thought", TapeEvent.ModelThought.class);
        types.put("turn_restarted", TapeEvent.TurnRestarted.class);
        types.put("turn_finished", TapeEvent.TurnFinished.class);
        types.put("tool_call_proposal", TapeEvent.ToolCallProposal.class);
        types.put("tool_decision", TapeEvent.ToolDecision.class);
        types.put("approval_request", TapeEvent.ApprovalRequest.class);
        types.put("approval_vote", TapeEvent.ApprovalVoted.class);
        types.put("approval_decision", TapeEvent.ApprovalDecision.class);
        types.put("tool_started", TapeEvent.ToolStarted.class);
        types.put("tool_call_output", TapeEvent.ToolCallOutput.class);
        types.put("tool_attestation", TapeEvent.ToolAttestation.class);
        types.put("run_state", TapeEvent.RunStateChanged.class);
        types.put("external_event", TapeEvent.ExternalEvent.class);
        return Map.copyOf(types);
    }

    private static Map<Class<?>, String> names() {
        Map<Class<?>, String> names = new LinkedHashMap<>();
        for (Entry<String, Class<? extends TapeEvent>> type : TYPES.entrySet()) {
            names.put(type.getValue(), type.getKey());
        }
        return Map.copyOf(names);
    }

    /** Returns the type name of an event's record. */
    public static String type(TapeEvent event) {
        return event instanceof TapeEvent.Unknown unknown
                ? unknown.type()
                : NAMES.get(event.getClass());
    }

    /**
     * Returns the payload of an event; INTERNAL for {@link TapeEvent.Unknown}, which is never
     * written.
     */
    public static byte[] payload(TapeEvent event) {
        if (event instanceof TapeEvent.Unknown) {
            throw new PalyraException(ErrorCode.INTERNAL, "an unknown record is never written");
        }
        return Jcs.bytes(tree(event));
    }

    /** Returns the version of the payload's form that {@link #payload} returns. */
    public static int schema(TapeEvent event) {
        return LATER.containsKey(event.getClass())
                ? schema(event, MAPPER.valueToTree(event))
                : SCHEMA;
    }

    private static int schema(TapeEvent event, JsonNode tree) {
        List<List<String>> later = LATER.getOrDefault(event.getClass(), List.of());
        for (int i = later.size(); i > 0; i--) {
            JsonNode telling = tree.path(later.get(i - 1).get(0));
            if (!telling.isEmpty() || !telling.asText().isEmpty()) {
                return SCHEMA + i;
            }
        }
        return SCHEMA;
    }

    private static boolean isKnown(Class<?> type, int schema) {
        int form = schema >= SEALED ? schema - SEALED : schema;
        return form >= SCHEMA && form <= SCHEMA + LATER.getOrDefault(type, List.of()).size();
    }

    /** Returns whether a record is of a type, and a form of it, that this codec knows. */
    static boolean isKnown(TapeRecord record) {
        Class<? extends TapeEvent> type = TYPES.get(record.type());
        return type != null && isKnown(type, record.schema());
    }

    /** Returns the operation that appends an event to a run's tape. */
    public static Operation.Append append(String runId, TapeEvent event) {
        return new Operation.Append(runId, type(event), schema(event), payload(event));
    }

    /**
     * Returns the operation that appends an event with a sealed part beside it. The record commits
     * to both, because both are its payload.
     *
     * @param event the public part
     * @param sealed the sealed part, base64url without padding; {@code palyra.shared.sealed}
     */
    public static Operation.Append append(String runId, TapeEvent event, String sealed) {
        ObjectNode tree = (ObjectNode) tree(event);
        tree.put(SEALED_MEMBER, sealed);
        return new Operation.Append(runId, type(event), schema(event) + SEALED, Jcs.bytes(tree));
    }

    /** Returns the sealed part of a record; empty when it has none or was erased. */
    public static Optional<String> sealed(TapeRecord record) {
        return record.schema() < SEALED || record.payload() == null
                ? Optional.empty()
                : Optional.of(
                        StrictJson.parse(record.payload(), "the payload")
                                .path(SEALED_MEMBER)
                                .asText());
    }

    /**
     * Returns an event of the class of {@code like} from its {@link #tree}; INTERNAL for another
     * tree.
     */
    public static TapeEvent event(TapeEvent like, JsonNode tree) {
        try {
            return MAPPER.treeToValue(tree, like.getClass());
        } catch (JsonProcessingException e) {
            throw new PalyraException(ErrorCode.INTERNAL, "this tree is not a " + type(like), e);
        }
    }

    /** Returns the event as a JSON tree, for people and exports. */
    public static JsonNode tree(TapeEvent event) {
        ObjectNode tree = MAPPER.valueToTree(event);
        List<List<String>> later = LATER.getOrDefault(event.getClass(), List.of());
        int schema = schema(event, tree);
        for (int i = schema - SCHEMA; i < later.size(); i++) {
            tree.remove(later.get(i));
        }
        return tree;
    }

    /**
     * Returns whether a record is a piece of streamed text in a form that this codec knows. Its
     * text comes again, whole, when the turn is finished, so that a fold need not read it.
     */
    public static boolean isStreamed(TapeRecord record) {
        return record.schema() == SCHEMA
                && record.payload() != null
                && isStreamedType(record.type());
    }

    /** Returns whether records of a type are pieces of streamed text. */
    public static boolean isStreamedType(String type) {
        return STREAMED.contains(type);
    }

    /** Returns whether a record was a piece of streamed text, which retention has erased. */
    public static boolean isErasedStream(TapeRecord record) {
        return record.payload() == null && isStreamedType(record.type());
    }

    /**
     * Returns what a record says: {@link TapeEvent.Unknown} for a type or schema this codec does
     * not know, or whose payload was erased.
     *
     * @throws PalyraException CORRUPT when the payload is not what the type says
     */
    public static TapeEvent event(TapeRecord record) {
        if (!isKnown(record) || record.payload() == null) {
            return new TapeEvent.Unknown(record.type(), record.schema());
        }
        try {
            JsonNode tree = StrictJson.parse(record.payload(), "the payload");
            if (record.schema() >= SEALED && tree instanceof ObjectNode members) {
                members.remove(SEALED_MEMBER);
            }
            return MAPPER.treeToValue(tree, TYPES.get(record.type()));
        } catch (JsonProcessingException | PalyraException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "Record "
                            + record.seq()
                            + " of "
                            + record.streamId()
                            + " is no "
                            + record.type()
                            + "; run palyra tape verify on it.",
                    e);
        }
    }
}
