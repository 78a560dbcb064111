package palyra.sandbox.internal.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.vault.SecretRef;
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

    /** Most bytes of a body; larger values of the input are refused. */
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
                                        isReference(reference),
                                        "the secret for "
                                                + shown(name)
                                                + " is named as vault:SCOPE/KEY, such as"
                                                + " vault:global/example_token; put no secret"
                                                + " value here"));
        return input;
    }

    private static boolean isReference(String text) {
        try {
            return SecretRef.isReference(text) && SecretRef.parse(text).toString().equals(text);
        } catch (PalyraException e) {
            return false;
        }
    }

    /** Returns a secret as the value of a header; INVALID_ARGUMENT when it cannot be one. */
    static String field(byte[] value, String header, String reference) {
        for (byte each : value) {
            Require.that(
                    each >= ' ' && each < 127 || each == '\t',
                    "the secret "
                            + reference
                            + " cannot be the header "
                            + shown(header)
                            + ": it has a line end or another character that is not allowed in"
                            + " headers");
        }
        return new String(value, StandardCharsets.US_ASCII);
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
