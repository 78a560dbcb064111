package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.ErrorCode;

/**
 * Looks names up with a deadline, which the system's resolver does not have: it runs on threads of
 * its own, of which there are a bounded number. Thread-safe.
 */
final class DnsResolver implements AutoCloseable {
    private static final int MOST_THREADS = 16;
    private static final int MOST_WAITING = 256;
    private static final long THREAD_SECONDS = 10;

    /**
     * The system's resolver cannot be interrupted; its threads are daemons and end by themselves.
     */
    private static final long CLOSE_MILLIS = 2_000;

    private final Resolver resolver;
    private final ThreadPoolExecutor threads;

    DnsResolver(Resolver resolver) {
        this.resolver = resolver;
        AtomicLong number = new AtomicLong();
        threads =
                new ThreadPoolExecutor(
                        MOST_THREADS,
                        MOST_THREADS,
                        THREAD_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        work ->
                                Thread.ofPlatform()
                                        .daemon()
                                        .name("palyra-sandbox-names-" + number.incrementAndGet())
                                        .unstarted(work));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns what the system's resolver says. */
    static Resolver ofTheSystem() {
        return name -> List.of(InetAddress.getAllByName(name));
    }

    /**
     * Returns every address of a host, which for an address is that one.
     *
     * @throws RefusedException when the host has no address, or none was found within {@code
     *     millis}
     */
    List<InetAddress> addresses(Host host, long millis) {
        return host.address().map(List::of).orElseGet(() -> lookUp(host.text(), millis));
    }

    private List<InetAddress> lookUp(String name, long millis) {
        Future<List<InetAddress>> lookup = submit(name);
        try {
            return lookup.get(Math.max(1, millis), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw failed(
                    Reason.TIME,
                    ErrorCode.TIMED_OUT,
                    name,
                    "was not resolved before the" + " timeout",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(
                    Reason.TIME,
                    ErrorCode.CANCELLED,
                    name,
                    "was not resolved because the" + " call was interrupted",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownHostException) {
                throw failed(
                        Reason.NAME_UNKNOWN,
                        ErrorCode.TOOL_UNAVAILABLE,
                        name,
                        "is unknown to DNS",
                        e);
            }
            throw failed(
                    Reason.NAME_UNKNOWN,
                    ErrorCode.TOOL_UNAVAILABLE,
                    name,
                    "could not be resolved",
                    e);
        } finally {
            lookup.cancel(true);
        }
    }

    private Future<List<InetAddress>> submit(String name) {
        try {
            return threads.submit(() -> resolver.addresses(name));
        } catch (RejectedExecutionException e) {
            throw failed(
                    Reason.LIMIT,
                    ErrorCode.RESOURCE_EXHAUSTED,
                    name,
                    "was not resolved because too many DNS queries are running",
                    e);
        }
    }

    private static RefusedException failed(
            Reason reason, ErrorCode code, String name, String why, Exception cause) {
        return new RefusedException(reason, code, "The host " + name + " " + why + ".", cause);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
