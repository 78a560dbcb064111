package palyra.tracing.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/**
 * The JSON form of OTLP: ids in hex, 64-bit numbers as texts, kinds and states as numbers. Pure.
 */
final class OtlpJson {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int STATUS_ERROR = 2;

    private OtlpJson() {}

    /** Returns a span; of its attributes only those of {@link Keys#ALL}. */
    static byte[] span(SpanData span) {
        ObjectNode node =
                JSON.createObjectNode()
                        .put("traceId", span.getTraceId())
                        .put("spanId", span.getSpanId());
        if (span.getParentSpanContext().isValid()) {
            node.put("parentSpanId", span.getParentSpanId());
        }
        node.put("name", span.getName())
                .put("kind", kind(span.getKind()))
                .put("startTimeUnixNano", Long.toString(span.getStartEpochNanos()))
                .put("endTimeUnixNano", Long.toString(span.getEndEpochNanos()))
                .set("attributes", attributes(span.getAttributes(), Keys.ALL::contains));
        if (span.getStatus().getStatusCode() == StatusCode.ERROR) {
            node.putObject("status").put("code", STATUS_ERROR);
        }
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int kind(SpanKind kind) {
        return switch (kind) {
            case INTERNAL -> 1;
            case SERVER -> 2;
            case CLIENT -> 3;
            case PRODUCER -> 4;
            case CONSUMER -> 5;
        };
    }

    private static ArrayNode attributes(Attributes attributes, Predicate<Object> wanted) {
        ArrayNode all = JSON.createArrayNode();
        attributes.forEach(
                (key, value) -> {
                    if (!wanted.test(key)) {
                        return;
                    }
                    ObjectNode held = all.addObject().put("key", key.getKey()).putObject("value");
                    if (value instanceof Long number) {
                        held.put("intValue", Long.toString(number));
                    } else {
                        held.put("stringValue", value.toString());
                    }
                });
        return all;
    }

    /** Returns a request to a collector out of spans that {@link #span} wrote. */
    static byte[] request(Resource resource, String scope, List<byte[]> spans) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ObjectNode about = JSON.createObjectNode();
        about.set("attributes", attributes(resource.getAttributes(), key -> true));
        ObjectNode made = JSON.createObjectNode().put("name", scope);
        text(out, "{\"resourceSpans\":[{\"resource\":" + about);
        text(out, ",\"scopeSpans\":[{\"scope\":" + made + ",\"spans\":[");
        for (int i = 0; i < spans.size(); i++) {
            text(out, i == 0 ? "" : ",");
            out.writeBytes(spans.get(i));
        }
        text(out, "]}]}]}");
        return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
