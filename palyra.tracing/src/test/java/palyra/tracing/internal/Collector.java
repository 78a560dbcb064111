package palyra.tracing.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.testing.http.FaultServer;

/**
 * A collector that reads by the published messages of OTLP and refuses members it does not know.
 */
final class Collector implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    final FaultServer server =
            FaultServer.open()
                    .otherwise(exchange -> exchange.answer(200, "application/json", "{}"));

    String url() {
        return server.url() + "/v1/traces";
    }

    /** Returns the bodies of all requests. */
    String raw() {
        StringBuilder all = new StringBuilder();
        server.heard().forEach(heard -> all.append(heard.body()));
        return all.toString();
    }

    List<ResourceSpans> resources() {
        List<ResourceSpans> all = new ArrayList<>();
        for (FaultServer.Heard heard : server.heard()) {
            all.addAll(read(heard.body()).getResourceSpansList());
        }
        return all;
    }

    List<Span> spans() {
        return resources().stream()
                .flatMap(one -> one.getScopeSpansList().stream())
                .flatMap(one -> one.getSpansList().stream())
                .toList();
    }

    /** The JSON of OTLP has ids in hex where that of protobuf has base64; nothing else differs. */
    private static ExportTraceServiceRequest read(String body) {
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        try {
            JsonNode tree = JSON.readTree(body);
            for (String key : List.of("traceId", "spanId", "parentSpanId")) {
                for (JsonNode holder : tree.findParents(key)) {
                    byte[] id = HexFormat.of().parseHex(holder.get(key).asText());
                    ((ObjectNode) holder).put(key, Base64.getEncoder().encodeToString(id));
                }
            }
            JsonFormat.parser().merge(tree.toString(), request);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("not OTLP: " + body, e);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + body, e);
        }
        return request.build();
    }

    static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    /** Returns the attributes as texts. */
    static Map<String, String> attributes(Span span) {
        Map<String, String> all = new LinkedHashMap<>();
        span.getAttributesList()
                .forEach(
                        one ->
                                all.put(
                                        one.getKey(),
                                        one.getValue().hasIntValue()
                                                ? Long.toString(one.getValue().getIntValue())
                                                : one.getValue().getStringValue()));
        return all;
    }

    @Override
    public void close() {
        server.close();
    }
}
