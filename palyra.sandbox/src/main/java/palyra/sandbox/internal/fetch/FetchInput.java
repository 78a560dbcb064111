package palyra.sandbox.internal.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.Require;
import palyra.sandbox.internal.egress.Target;
import palyra.shared.json.StrictJson;

/**
 * The input of the tool, read strictly.
 *
 * @param headers headers that stand in the input
 * @param secretHeaders names of headers, with references to secrets
 * @param body body as text; empty for none
 * @param maxBytes most bytes of the answer's body that are returned
 * @param acceptBinary whether a body that is no text is wanted
 */
record FetchInput(
        Target target,
        String method,
        Map<String, String> headers,
        Map<String, String> secretHeaders,
        String body,
        int maxBytes,
        boolean acceptBinary) {
    /** Most bytes of a body unless the input says otherwise. */
    static final int USUAL_BYTES = 262_144;

    /** Most bytes of a body whatever the input says. */
    static final int MOST_BYTES = 2_097_152;

    private static final List<String> FIELDS =
            List.of(
                    "url",
                    "method",
                    "headers",
                    "body",
                    "max_bytes",
                    "secret_headers",
                    "accept_binary");
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST");
    private static final int MOST_HEADERS = 50;

    /** Reads an input. INVALID_ARGUMENT or DENIED with a sentence for the model. */
    static FetchInput read(String json) {
        JsonNode fields = StrictJson.parse(json, "the input of " + FetchTool.NAME);
        Require.that(
                fields.isObject(),
                "the input of " + FetchTool.NAME + " is not an object; send {\"url\": …}");
        fields.fieldNames()
                .forEachRemaining(
                        name ->
                                Require.that(
                                        FIELDS.contains(name),
                                        FetchTool.NAME
                                                + " does not know the field '"
                                                + shown(name)
                                                + "'; it takes "
                                                + FIELDS));
        FetchInput input =
                new FetchInput(
                        Target.of(Require.text(text(fields, "url", ""), "url")),
                        text(fields, "method", "GET"),
                        texts(fields, "headers"),
                        texts(fields, "secret_headers"),
                        text(fields, "body", ""),
                        number(fields),
                        flag(fields));
        Require.that(METHODS.contains(input.method()), "the method is one of " + METHODS);
        Require.that(
                input.body().isEmpty() || input.method().equals("POST"),
                "a body is sent with POST alone");
        input.secretHeaders()
                .forEach(
                        (name, reference) ->
                                Require.that(
                                        reference.matches("vault:[A-Za-z0-9._-]+/[A-Za-z0-9._-]+"),
                                        "the secret for "
                                                + shown(name)
                                                + " is named as vault:SCOPE/NAME"));
        return input;
    }

    private static String text(JsonNode fields, String name, String otherwise) {
        JsonNode value = fields.path(name);
        Require.that(value.isMissingNode() || value.isTextual(), "'" + name + "' is a text");
        return value.asText(otherwise);
    }

    private static Map<String, String> texts(JsonNode fields, String name) {
        JsonNode value = fields.path(name);
        Require.that(
                value.isMissingNode() || (value.isObject() && value.size() <= MOST_HEADERS),
                "'" + name + "' is an object of at most " + MOST_HEADERS + " texts");
        Map<String, String> texts = new TreeMap<>();
        value.properties()
                .forEach(
                        each -> {
                            Require.that(
                                    each.getValue().isTextual(),
                                    "'" + name + "' is an object of texts");
                            texts.put(each.getKey(), each.getValue().textValue());
                        });
        return texts;
    }

    private static int number(JsonNode fields) {
        JsonNode value = fields.path("max_bytes");
        Require.that(
                value.isMissingNode()
                        || (value.isIntegralNumber()
                                && value.canConvertToInt()
                                && value.intValue() >= 1
                                && value.intValue() <= MOST_BYTES),
                "'max_bytes' is a whole number from 1 to " + MOST_BYTES);
        return value.asInt(USUAL_BYTES);
    }

    private static boolean flag(JsonNode fields) {
        JsonNode value = fields.path("accept_binary");
        Require.that(
                value.isMissingNode() || value.isBoolean(), "'accept_binary' is true or false");
        return value.asBoolean(false);
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
