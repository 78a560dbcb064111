package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection to the world outside: one that was allowed, recorded and made. The first end that it
 * comes to is the one that is recorded. Thread-safe.
 */
final class OutboundConnection implements AutoCloseable {
    private final String id;
    private final ConnectionRequest request;
    private final InetAddress address;
    private final SocketChannel channel;
    private final long deadlineNanos;
    private final OutboundConnections connections;
    private final long startNanos = System.nanoTime();
    private final AtomicLong up = new AtomicLong();
    private final AtomicLong down = new AtomicLong();
    private final AtomicReference<End> end = new AtomicReference<>();
    private final Queue<Runnable> afterwards = new ConcurrentLinkedQueue<>();

    /** How it came to its end. */
    private record End(String outcome, String reason) {}

    OutboundConnection(
            String id,
            ConnectionRequest request,
            InetAddress address,
            SocketChannel channel,
            long deadlineNanos,
            OutboundConnections connections) {
        this.id = id;
        this.request = request;
        this.address = address;
        this.channel = channel;
        this.deadlineNanos = deadlineNanos;
        this.connections = connections;
    }

    Socket socket() {
        return channel.socket();
    }

    SocketChannel channel() {
        return channel;
    }

    /** Returns until when it was to be ready, TLS included, of {@link System#nanoTime}. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    InetAddress address() {
        return address;
    }

    ConnectionRequest request() {
        return request;
    }

    /** Returns a stream whose bytes count as received. */
    InputStream in(InputStream from) {
        return MeteredStreams.in(
                from,
                bytes -> {
                    down.addAndGet(bytes);
                    connections.counts().down.add(bytes);
                });
    }

    /** Returns a stream whose bytes count as sent. */
    OutputStream out(OutputStream to) {
        return MeteredStreams.out(
                to,
                bytes -> {
                    up.addAndGet(bytes);
                    connections.counts().up.add(bytes);
                });
    }

    /**
     * Closes it at once, even during reads and writes: at the deadline, at the size limit, or on
     * behalf of its owner. Does not block.
     */
    void cut(String why) {
        if (finish("cut", why)) {
            connections.counts().cut.increment();
        }
    }

    /** Ends it because it failed. */
    void fail(String why) {
        finish("failed", why);
    }

    /** Ends it in order. */
    @Override
    public void close() {
        finish("ended", "");
    }

    /** Returns why it was cut or failed; empty otherwise. */
    Optional<String> broken() {
        End now = end.get();
        return now == null || now.reason().isEmpty() ? Optional.empty() : Optional.of(now.reason());
    }

    /** Returns how it ended; empty while it is open. */
    Optional<String> ending() {
        return Optional.ofNullable(end.get())
                .map(now -> now.reason().isEmpty() ? "it was closed" : now.reason());
    }

    /** Has something done once when it is over, at once if it is. It must not block. */
    void afterwards(Runnable work) {
        afterwards.add(work);
        if (end.get() != null && afterwards.remove(work)) {
            work.run();
        }
    }

    private boolean finish(String outcome, String reason) {
        if (!end.compareAndSet(null, new End(outcome, reason))) {
            return false;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // it is gone either way
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        connections.onClosed(
                this,
                id,
                ConnectionRecord.closed(
                        id,
                        request,
                        IpLiterals.text(address),
                        outcome,
                        reason,
                        new ConnectionRecord.Amounts(up.get(), down.get(), millis)));
        for (Runnable work = afterwards.poll(); work != null; work = afterwards.poll()) {
            work.run();
        }
        return true;
    }
}
