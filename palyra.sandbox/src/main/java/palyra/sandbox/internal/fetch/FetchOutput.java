package palyra.sandbox.internal.fetch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressResponse;

/** Turns an answer into what the model gets. */
final class FetchOutput {
    private static final Set<String> SHOWN =
            Set.of(
                    "cache-control",
                    "content-disposition",
                    "content-language",
                    "content-length",
                    "content-type",
                    "date",
                    "etag",
                    "expires",
                    "last-modified",
                    "link",
                    "location",
                    "retry-after",
                    "www-authenticate");
    private static final int LONGEST_HEADER = 2_048;

    private FetchOutput() {}

    /**
     * Returns the output as JSON text.
     *
     * @param note what is told about the input; may be empty
     * @throws PalyraException INVALID_ARGUMENT when the body is of a type that was not asked for
     * @throws IOException when the body breaks off
     */
    static String of(FetchInput input, EgressResponse response, String note) throws IOException {
        Map<String, List<String>> headers = response.headers();
        String contentType = headers.getOrDefault("content-type", List.of("")).get(0);
        ContentType type = ContentType.of(contentType);
        byte[] read = response.body().readNBytes(input.maxBytes() + 1);
        boolean truncated = read.length > input.maxBytes();
        int length = Math.min(read.length, input.maxBytes());
        if (length > 0 && !type.isText() && !input.acceptBinary()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The answer has the status "
                            + response.status()
                            + " and the type '"
                            + (contentType.isEmpty() ? "unknown" : type.type())
                            + "', which is not text; use HEAD, or accept_binary to get it as"
                            + " base64.");
        }
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        output.put("status", response.status());
        output.put("url", response.url());
        ObjectNode shown = output.putObject("headers");
        new TreeMap<>(headers)
                .forEach(
                        (name, values) -> {
                            if (SHOWN.contains(name) || name.startsWith("x-ratelimit-")) {
                                shown.put(name, cut(String.join(", ", values)));
                            }
                        });
        output.put("content_type", type.type());
        if (type.isText() || length == 0) {
            output.put("body", new String(read, 0, length, type.charset()));
        } else {
            byte[] body = Arrays.copyOf(read, length);
            output.put("body", Base64.getEncoder().encodeToString(body));
            output.put("encoding", "base64");
        }
        output.put("truncated", truncated);
        output.put("bytes", length);
        if (!note.isEmpty()) {
            output.put("note", note);
        }
        return output.toString();
    }

    private static String cut(String text) {
        return text.length() > LONGEST_HEADER ? text.substring(0, LONGEST_HEADER) + "…" : text;
    }
}
