package palyra.shared.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import palyra.api.tape.TapeEvent;
import palyra.shared.tape.TapeCodec;

/**
 * Takes secrets out of tape events. Looks at what people, models and tools wrote; ids, digests and
 * names stay what they are. Streamed text is not looked at: it is public before it is an event.
 */
final class PublicEvents {
    private static final Map<Class<? extends TapeEvent>, Set<String>> TEXTS =
            Map.of(
                    TapeEvent.Message.class, Set.of("text"),
                    TapeEvent.TurnRestarted.class, Set.of("reason"),
                    TapeEvent.TurnFinished.class, Set.of("text", "toolName"),
                    TapeEvent.ToolCallProposal.class, Set.of("tool"),
                    TapeEvent.ToolDecision.class, Set.of("tool", "reason", "operatorReason"),
                    TapeEvent.ToolCallOutput.class, Set.of("tool", "error"),
                    TapeEvent.ApprovalVoted.class, Set.of("reason"),
                    TapeEvent.ApprovalDecision.class, Set.of("reason"),
                    TapeEvent.RunStateChanged.class, Set.of("reason"),
                    TapeEvent.ToolStarted.class, Set.of("tool"));

    private static final Set<String> JSONS =
            Set.of("inputJson", "outputJson", "contentJson", "evidenceJson");

    private static final Set<Class<? extends TapeEvent>> ONLY_JSON =
            Set.of(TapeEvent.ExternalEvent.class);

    private PublicEvents() {}

    /** Returns an event without secrets; the same event when it has none. */
    static TapeEvent of(TapeEvent event, UnaryOperator<String> text, UnaryOperator<String> json) {
        Set<String> texts = TEXTS.get(event.getClass());
        if (texts == null && !ONLY_JSON.contains(event.getClass())) {
            return event;
        }
        JsonNode tree = TapeCodec.tree(event);
        JsonNode seen = walk(tree, texts == null ? Set.of() : texts, text, json);
        return seen.equals(tree) ? event : TapeCodec.event(event, seen);
    }

    private static JsonNode walk(
            JsonNode node,
            Set<String> texts,
            UnaryOperator<String> text,
            UnaryOperator<String> json) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            array.forEach(element -> copy.add(walk(element, texts, text, json)));
            return copy;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            String name = member.getKey();
            JsonNode value = member.getValue();
            if (value.isTextual() && JSONS.contains(name)) {
                copy.put(name, json.apply(value.textValue()));
            } else if (value.isTextual() && texts.contains(name)) {
                copy.put(name, text.apply(value.textValue()));
            } else {
                copy.set(name, walk(value, texts, text, json));
            }
        }
        return copy;
    }
}
