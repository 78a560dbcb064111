package palyra.tracing.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Spans that wait for the collector, as they will be sent, bounded in number and bytes: a trace
 * that does not fit is dropped whole and counted. Never waits. Thread-safe.
 */
final class SpanQueue {
    private final int mostSpans;
    private final long mostBytes;
    private final Deque<byte[]> waiting = new ArrayDeque<>(); // guarded by this, as the next two
    private long bytes;
    private long dropped;

    SpanQueue(int mostSpans, long mostBytes) {
        this.mostSpans = mostSpans;
        this.mostBytes = mostBytes;
    }

    /** Takes the spans of a trace, all or none. */
    synchronized void offer(List<byte[]> trace) {
        long size = trace.stream().mapToLong(span -> span.length).sum();
        if (waiting.size() + trace.size() > mostSpans || bytes + size > mostBytes) {
            dropped += trace.size();
            return;
        }
        waiting.addAll(trace);
        bytes += size;
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
}
