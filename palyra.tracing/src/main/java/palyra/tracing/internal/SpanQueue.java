package palyra.tracing.internal;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Spans that wait for the collector, as they will be sent, bounded in number and bytes: what comes
 * while it is full is dropped and counted. Never waits. Thread-safe.
 */
final class SpanQueue implements SpanExporter {
    private final int mostSpans;
    private final long mostBytes;
    private final Deque<byte[]> waiting = new ArrayDeque<>(); // guarded by this, as the next two
    private long bytes;
    private long dropped;

    SpanQueue(int mostSpans, long mostBytes) {
        this.mostSpans = mostSpans;
        this.mostBytes = mostBytes;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        spans.forEach(span -> offer(OtlpJson.span(span)));
        return CompletableResultCode.ofSuccess();
    }

    private synchronized void offer(byte[] span) {
        if (waiting.size() >= mostSpans || bytes + span.length > mostBytes) {
            dropped++;
            return;
        }
        waiting.add(span);
        bytes += span.length;
    }

    /** Returns the oldest spans, at least one if there is one, and leaves them here. */
    synchronized List<byte[]> oldest(int most, long upToBytes) {
        List<byte[]> batch = new ArrayList<>();
        long size = 0;
        for (Iterator<byte[]> all = waiting.iterator(); all.hasNext() && batch.size() < most; ) {
            byte[] span = all.next();
            size += span.length;
            if (size > upToBytes && !batch.isEmpty()) {
                break;
            }
            batch.add(span);
        }
        return batch;
    }

    /** Removes that many of the oldest. */
    synchronized void remove(int count) {
        for (int i = 0; i < count; i++) {
            bytes -= waiting.remove().length;
        }
    }

    /** Returns how many wait. */
    synchronized int size() {
        return waiting.size();
    }

    /** Returns how many found it full. */
    synchronized long dropped() {
        return dropped;
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
