package palyra.models.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.shared.json.Jcs;

/** Reads one step of a script; every refusal names the step and says what to write instead. */
final class StepReader {
    private static final int MAX_TEXT = 262_144;
    private static final int MAX_REPEAT = 100_000;
    private static final long MAX_REPEATED = 4_194_304;
    private static final long MAX_DELAY_MILLIS = 600_000;
    private static final long MAX_CHUNK_MILLIS = 60_000;
    private static final Set<String> KINDS =
            new TreeSet<>(
                    List.of(
                            "say",
                            "think",
                            "call",
                            "delayMillis",
                            "fail",
                            "stall",
                            "repeat",
                            "lastToolOutput"));

    private final String where;
    private final JsonNode node;

    private StepReader(String where, JsonNode node) {
        this.where = where;
        this.node = node;
    }

    /** Reads a step; {@code where} names it, such as {@code step 2 of turn 1}. */
    static Step read(String where, JsonNode node) {
        return new StepReader(where, node).step();
    }

    private Step step() {
        that(node.isObject(), "is not an object");
        List<String> kinds = new ArrayList<>();
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (KINDS.contains(name)) {
                kinds.add(name);
            }
        }
        that(kinds.size() == 1, "names " + kinds + ": use exactly one of " + KINDS);
        return switch (kinds.get(0)) {
            case "say" -> say();
            case "think" -> think();
            case "call" -> call();
            case "delayMillis" -> delay();
            case "fail" -> fail();
            case "repeat" -> repeat();
            case "stall" -> {
                isTrue("stall");
                yield new Step.Stall();
            }
            default -> {
                isTrue("lastToolOutput");
                yield new Step.LastToolOutput();
            }
        };
    }

    private Step say() {
        only(node, "say", "chunkMillis");
        return new Step.Say(text(node, "say", MAX_TEXT), chunkMillis());
    }

    private Step think() {
        only(node, "think", "chunkMillis");
        return new Step.Think(text(node, "think", MAX_TEXT), chunkMillis());
    }

    private long chunkMillis() {
        return node.has("chunkMillis") ? number(node, "chunkMillis", 0, MAX_CHUNK_MILLIS) : -1;
    }

    private Step call() {
        only(node, "call");
        JsonNode call = object("call");
        only(call, "tool", "input", "rawInput");
        that(
                call.has("input") != call.has("rawInput"),
                "needs either input (any JSON value) or rawInput (text passed on as it is) in its"
                        + " call");
        String tool = text(call, "tool", 200);
        that(!tool.isBlank(), "has no tool name");
        String input =
                call.has("input") ? Jcs.text(call.get("input")) : text(call, "rawInput", MAX_TEXT);
        return new Step.Call(tool, input);
    }

    private Step delay() {
        only(node, "delayMillis");
        return new Step.Delay(number(node, "delayMillis", 0, MAX_DELAY_MILLIS));
    }

    private Step fail() {
        only(node, "fail");
        JsonNode fail = object("fail");
        only(fail, "code", "message", "retryable", "times");
        ErrorCode code = fail.has("code") ? code(text(fail, "code", 64)) : ErrorCode.MODEL_FAILED;
        String message =
                fail.has("message")
                        ? text(fail, "message", 1_000)
                        : "The script asked for a failure.";
        that(!message.isBlank(), "has a blank failure message");
        JsonNode retryable = fail.path("retryable");
        that(
                retryable.isMissingNode() || retryable.isBoolean(),
                "has retryable " + shown(retryable) + ": use true or false");
        int times =
                fail.has("times") ? (int) number(fail, "times", 1, 1_000_000) : Step.Fail.ALWAYS;
        return new Step.Fail(code, message, retryable.asBoolean(false), times);
    }

    private ErrorCode code(String name) {
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(name)) {
                return code;
            }
        }
        throw Refusal.of(where, "has code '" + name + "': use one of " + codes());
    }

    private static String codes() {
        return Arrays.toString(ErrorCode.values());
    }

    private Step repeat() {
        only(node, "repeat");
        JsonNode repeat = object("repeat");
        only(repeat, "count", "say");
        int count = (int) number(repeat, "count", 0, MAX_REPEAT);
        String text = text(repeat, "say", MAX_TEXT);
        that(
                (long) count * text.length() <= MAX_REPEATED,
                "repeats " + (long) count * text.length() + " characters: at most " + MAX_REPEATED);
        return new Step.Repeat(count, text);
    }

    private void isTrue(String field) {
        only(node, field);
        that(
                node.get(field).isBoolean() && node.get(field).booleanValue(),
                "has " + field + " " + shown(node.get(field)) + ": use true");
    }

    private void only(JsonNode object, String... fields) {
        Set<String> known = Set.of(fields);
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            that(
                    known.contains(name),
                    "has the unknown field '" + name + "': use " + Arrays.toString(fields));
        }
    }

    private JsonNode object(String field) {
        JsonNode object = node.get(field);
        that(object.isObject(), "has " + field + " " + shown(object) + ": use an object");
        return object;
    }

    private String text(JsonNode object, String field, int max) {
        JsonNode value = object.path(field);
        that(value.isTextual(), "has " + field + " " + shown(value) + ": use a text");
        that(
                value.textValue().length() <= max,
                "has "
                        + value.textValue().length()
                        + " characters of "
                        + field
                        + ": at most "
                        + max);
        return value.textValue();
    }

    private long number(JsonNode object, String field, long min, long max) {
        JsonNode value = object.path(field);
        that(
                value.isIntegralNumber()
                        && value.canConvertToLong()
                        && value.longValue() >= min
                        && value.longValue() <= max,
                "has "
                        + field
                        + " "
                        + shown(value)
                        + ": use a whole number from "
                        + min
                        + " to "
                        + max);
        return value.longValue();
    }

    private static String shown(JsonNode value) {
        String text = value.isMissingNode() ? "missing" : value.toString();
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }

    private void that(boolean condition, String problem) {
        if (!condition) {
            throw Refusal.of(where, problem);
        }
    }
}
