package palyra.tracing.internal;

import io.opentelemetry.sdk.trace.IdGenerator;
import palyra.shared.hash.Digests;

/**
 * Ids of traces and spans out of the ids of what they show: a trace that is made again is the same
 * one. One thread makes spans: it says which one is next.
 */
final class TraceIds implements IdGenerator {
    private static final int TRACE_DIGITS = 32;
    private static final int SPAN_DIGITS = 16;

    private String traceId = "";
    private String spanId = "";

    /** Returns the id of a message's trace, 32 digits: the recipe is in the operator guide. */
    static String trace(String messageId) {
        return Digests.sha256Hex("palyra.trace.v1:" + messageId).substring(0, TRACE_DIGITS);
    }

    /** Returns the id of a span by its key within the trace, 16 digits. */
    static String span(String traceId, String key) {
        return Digests.sha256Hex("palyra.span.v1:" + traceId + ":" + key).substring(0, SPAN_DIGITS);
    }

    /** Says which span is made next. */
    void next(String trace, String key) {
        traceId = trace;
        spanId = span(trace, key);
    }

    @Override
    public String generateSpanId() {
        return spanId;
    }

    @Override
    public String generateTraceId() {
        return traceId;
    }
}
