package palyra.tracing.internal;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;

/**
 * A span that is to be made.
 *
 * @param key what its id is made of, unique within the trace
 * @param parent key of its parent; empty for the root
 * @param startMillis unix time in milliseconds
 * @param endMillis unix time in milliseconds, not before {@code startMillis}: a clock that was set
 *     back while it went on gives a span without a duration
 * @param failed whether its status is an error
 */
record SpanPlan(
        String key,
        String parent,
        String name,
        SpanKind kind,
        long startMillis,
        long endMillis,
        Attributes attributes,
        boolean failed) {
    /** Keeps the end from being before the start. */
    SpanPlan {
        endMillis = Math.max(startMillis, endMillis);
    }
}
