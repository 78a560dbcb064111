package palyra.tracing.internal;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes spans of plans and puts them into the queue, trace by trace. For one thread. */
final class TraceWriter {
    /** Instrumentation scope of all spans. */
    static final String SCOPE = "palyra.tracing";

    private final TraceIds ids = new TraceIds();
    private final List<byte[]> made = new ArrayList<>(); // of the trace that is being written
    private final SpanQueue queue;
    private final Tracer tracer;

    TraceWriter(Resource resource, SpanQueue queue) {
        this.queue = queue;
        tracer =
                SdkTracerProvider.builder()
                        .setResource(resource)
                        .setIdGenerator(ids)
                        .setSampler(Sampler.alwaysOn()) // what is not wanted is not even read
                        .addSpanProcessor(SimpleSpanProcessor.create(new Exporter()))
                        .build()
                        .get(SCOPE);
    }

    /** Keeps each span in the form in which it is sent, until its trace is complete. */
    private final class Exporter implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            spans.forEach(span -> made.add(OtlpJson.span(span)));
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    /** Writes a trace; each plan comes after that of its parent. */
    void write(String traceId, List<SpanPlan> plans) {
        made.clear();
        Map<String, Context> contexts = new HashMap<>();
        for (SpanPlan plan : plans) {
            ids.next(traceId, plan.key());
            SpanBuilder builder =
                    tracer.spanBuilder(plan.name())
                            .setSpanKind(plan.kind())
                            .setStartTimestamp(plan.startMillis(), TimeUnit.MILLISECONDS)
                            .setAllAttributes(plan.attributes())
                            .setParent(contexts.getOrDefault(plan.parent(), Context.root()));
            Span span = builder.startSpan();
            contexts.put(plan.key(), Context.root().with(span));
            if (plan.failed()) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end(plan.endMillis(), TimeUnit.MILLISECONDS);
        }
        queue.offer(made);
    }
}
