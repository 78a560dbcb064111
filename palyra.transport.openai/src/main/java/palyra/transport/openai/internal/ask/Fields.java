package palyra.transport.openai.internal.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * Which fields of a request count. A field that would change the meaning of the request if it were
 * left out is refused; any other one without a meaning here is ignored, and the response names it.
 * Pure functions.
 */
final class Fields {
    private static final int MOST_NAMED = 20;

    private static final Predicate<JsonNode> NOTHING =
            value -> value.isNull() || (value.isContainerNode() && value.isEmpty());
    private static final Predicate<JsonNode> FALSE = value -> value.isNull() || isFalse(value);

    /** A field that is harmless only with some values, and what to do otherwise. */
    private record Rule(Predicate<JsonNode> harmless, String remedy) {}

    private static final String OWN_TOOLS =
            "the agent uses its own tools, under the gateway's policy; leave it out";

    private static final Map<String, Rule> RULES =
            Map.ofEntries(
                    Map.entry(
                            "n",
                            new Rule(
                                    value ->
                                            value.isNull()
                                                    || (value.isNumber() && value.asInt() == 1),
                                    "a run has one answer; leave it out, or send 1")),
                    Map.entry("tools", new Rule(NOTHING, OWN_TOOLS)),
                    Map.entry("functions", new Rule(NOTHING, OWN_TOOLS)),
                    Map.entry("tool_choice", new Rule(Fields::isUsualChoice, OWN_TOOLS)),
                    Map.entry("function_call", new Rule(Fields::isUsualChoice, OWN_TOOLS)),
                    Map.entry(
                            "max_tool_calls",
                            new Rule(
                                    JsonNode::isNull,
                                    "the agent's own budget counts its calls; leave it out")),
                    Map.entry("web_search_options", new Rule(JsonNode::isNull, OWN_TOOLS)),
                    Map.entry(
                            "logprobs",
                            new Rule(FALSE, "probabilities are not recorded; leave it out")),
                    Map.entry(
                            "top_logprobs",
                            new Rule(
                                    value -> value.isNull() || value.asInt() == 0,
                                    "probabilities are not recorded; leave it out")),
                    Map.entry(
                            "audio", new Rule(JsonNode::isNull, "answers are text; leave it out")),
                    Map.entry(
                            "modalities",
                            new Rule(
                                    value -> value.isNull() || onlyText(value),
                                    "answers are text; send [\"text\"], or leave it out")),
                    Map.entry(
                            "response_format",
                            new Rule(
                                    value -> value.isNull() || isText(value),
                                    "the agent answers in text of its own form; say in the message"
                                            + " which form you want")),
                    Map.entry(
                            "text",
                            new Rule(
                                    value ->
                                            !value.hasNonNull("format")
                                                    || isText(value.path("format")),
                                    "the agent answers in text of its own form; say in the message"
                                            + " which form you want")),
                    Map.entry(
                            "stop",
                            new Rule(
                                    NOTHING,
                                    "an answer ends where the agent ends it; leave it out")),
                    Map.entry(
                            "background",
                            new Rule(
                                    FALSE,
                                    "every run goes on without its client anyway; leave it out, and"
                                            + " ask for the response by its id")),
                    Map.entry(
                            "conversation",
                            new Rule(
                                    JsonNode::isNull,
                                    "send previous_response_id, or name the session in a header")),
                    Map.entry(
                            "prompt",
                            new Rule(JsonNode::isNull, "prompts are the agent's; send input")));

    private Fields() {}

    private static boolean isFalse(JsonNode value) {
        return value.isBoolean() && !value.booleanValue();
    }

    private static boolean isUsualChoice(JsonNode value) {
        return value.isNull() || value.asText().equals("auto") || value.asText().equals("none");
    }

    private static boolean isText(JsonNode format) {
        return format.path("type").asText().equals("text");
    }

    private static boolean onlyText(JsonNode kinds) {
        return kinds.isArray() && kinds.size() == 1 && kinds.get(0).asText().equals("text");
    }

    /**
     * Refuses what cannot be left out and returns the names of what is.
     *
     * @param known fields that count
     */
    static List<String> ignored(ObjectNode request, Set<String> known) {
        List<String> ignored = new ArrayList<>();
        request.properties()
                .forEach(
                        field -> {
                            Rule rule = RULES.get(field.getKey());
                            if (rule != null) {
                                require(rule, field);
                            } else if (!known.contains(field.getKey())
                                    && !field.getValue().isNull()
                                    && ignored.size() < MOST_NAMED
                                    && field.getKey().matches("[A-Za-z0-9_.-]{1,64}")) {
                                ignored.add(field.getKey());
                            }
                        });
        return ignored;
    }

    private static void require(Rule rule, Map.Entry<String, JsonNode> field) {
        if (!rule.harmless().test(field.getValue())) {
            throw RefusedException.unsupported(
                    field.getKey(),
                    field.getKey() + " is not supported with this value: " + rule.remedy() + ".");
        }
    }

    static String text(ObjectNode request, String field) {
        JsonNode value = request.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw RefusedException.invalid(field, field + " is not a text.");
        }
        return value.textValue();
    }

    static boolean flag(JsonNode value, String field) {
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw RefusedException.invalid(field, field + " is not true or false.");
        }
        return value.booleanValue();
    }

    static String model(ObjectNode request) {
        return Optional.of(text(request, "model"))
                .filter(model -> !model.isBlank())
                .orElseThrow(
                        () ->
                                RefusedException.invalid(
                                        "model",
                                        "model is missing; it names the agent that is asked, such as"
                                                + " default. GET /v1/models lists them."));
    }
}
