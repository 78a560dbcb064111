package palyra.sandbox.internal.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.vault.SecretRef;
import palyra.sandbox.internal.egress.Target;
import palyra.shared.json.JsonFields;

/**
 * The input of the tool.
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

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST");
    private static final int MOST_HEADERS = 50;
    private static final int MOST_CHARACTERS = 1_048_576; // the input has no more bytes

    /** Reads an input. INVALID_ARGUMENT or DENIED with a sentence for the model. */
    static FetchInput read(JsonFields fields) {
        FetchInput input =
                new FetchInput(
                        Target.of(fields.text("url", MOST_CHARACTERS)),
                        fields.optionalText("method", MOST_CHARACTERS).orElse("GET"),
                        texts(fields, "headers"),
                        texts(fields, "secret_headers"),
                        fields.optionalText("body", MOST_CHARACTERS).orElse(""),
                        (int) fields.number("max_bytes", USUAL_BYTES, 1, MOST_BYTES),
                        fields.flag("accept_binary", false));
        if (!METHODS.contains(input.method())) {
            throw fields.wrong("method", "one of " + METHODS);
        }
        if (!input.body().isEmpty() && !input.method().equals("POST")) {
            throw fields.wrong("body", "it with the method POST alone");
        }
        input.secretHeaders()
                .forEach(
                        (name, reference) ->
                                Require.that(
                                        isReference(reference),
                                        FetchTool.NAME
                                                + " got 'secret_headers'; the secret for "
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

    private static Map<String, String> texts(JsonFields fields, String name) {
        Map<String, String> texts = new TreeMap<>();
        for (Map.Entry<String, JsonNode> each :
                fields.object(name).map(JsonNode::properties).orElse(Set.of())) {
            if (!each.getValue().isTextual() || texts.size() == MOST_HEADERS) {
                throw fields.wrong(name, "an object of at most " + MOST_HEADERS + " texts");
            }
            texts.put(each.getKey(), each.getValue().textValue());
        }
        return texts;
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
