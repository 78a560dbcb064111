package palyra.tracing.internal;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes spans of plans and hands them to an exporter. For one thread. */
final class TraceWriter {
    /** Instrumentation scope of all spans. */
    static final String SCOPE = "palyra.tracing";

    private final TraceIds ids = new TraceIds();
    private final Tracer tracer;

    TraceWriter(Resource resource, SpanExporter exporter) {
        tracer =
                SdkTracerProvider.builder()
                        .setResource(resource)
                        .setIdGenerator(ids)
                        .setSampler(Sampler.alwaysOn()) // what is not wanted is not even read
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build()
                        .get(SCOPE);
    }

    /** Writes a trace; each plan comes after that of its parent. */
    void write(String traceId, List<SpanPlan> plans) {
        Map<String, Context> made = new HashMap<>();
        for (SpanPlan plan : plans) {
            ids.next(traceId, plan.key());
            SpanBuilder builder =
                    tracer.spanBuilder(plan.name())
                            .setSpanKind(plan.kind())
                            .setStartTimestamp(plan.startMillis(), TimeUnit.MILLISECONDS)
                            .setAllAttributes(plan.attributes())
                            .setParent(made.getOrDefault(plan.parent(), Context.root()));
            Span span = builder.startSpan();
            made.put(plan.key(), Context.root().with(span));
            if (plan.failed()) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end(plan.endMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
