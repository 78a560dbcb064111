package palyra.sandbox.internal.egress;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLException;
import palyra.api.ErrorCode;

/** Makes connections to the world outside, each decided and recorded first. Thread-safe. */
final class OutboundConnections implements AutoCloseable {
    private final ConnectionAuthorizer authorizer;
    private final ConnectionLog log;
    private final EgressCounts counts;
    private final IntSupplier maxOpen;
    private final Set<OutboundConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    OutboundConnections(
            ConnectionAuthorizer authorizer,
            ConnectionLog log,
            EgressCounts counts,
            IntSupplier maxOpen) {
        this.authorizer = authorizer;
        this.maxOpen = maxOpen;
        this.log = log;
        this.counts = counts;
    }

    EgressCounts counts() {
        return counts;
    }

    /**
     * Makes a connection.
     *
     * @param millis for name and connection together; {@link OutboundConnection#deadlineNanos} has
     *     the rest
     * @throws RefusedException when it may not or cannot be made
     */
    OutboundConnection open(ConnectionRequest request, long millis) {
        String id = log.nextId();
        ConnectionAuthorizer.Authorized authorized;
        try {
            if (open.size() >= maxOpen.getAsInt()) {
                throw new RefusedException(
                        Reason.LIMIT,
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "Too many connections are open for one more to "
                                + request.hostAndPort()
                                + "; try again later.");
            }
            authorized = authorizer.open(request, millis);
            log.opening(id, request, authorized.permit(), authorized.addresses());
        } catch (RefusedException e) {
            throw refused(request, e);
        }
        long deadlineNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(authorized.leftMillis());
        OutboundConnection outbound;
        try {
            outbound = connected(id, request, authorized.addresses(), deadlineNanos);
        } catch (RefusedException e) {
            counts.refused(e.reason());
            log.closed(
                    id,
                    ConnectionRecord.closed(
                            id,
                            request,
                            "",
                            "failed",
                            e.getMessage(),
                            new ConnectionRecord.Amounts(0, 0, 0)));
            throw e;
        }
        return register(outbound);
    }

    /** Counts and records a connection that is refused, and returns why. */
    RefusedException refused(ConnectionRequest request, RefusedException why) {
        counts.refused(why.reason());
        log.denied(request, why.reason(), why.getMessage());
        return why;
    }

    /**
     * Counts and records a connection that failed, and returns why.
     *
     * @param acted whether the server may have done what was asked
     */
    RefusedException failed(OutboundConnection connection, boolean acted, IOException e) {
        String place = "The connection to " + connection.request().hostAndPort();
        Optional<String> cut = connection.broken();
        RefusedException failure;
        if (Thread.currentThread().isInterrupted()) {
            failure = failure(Reason.TIME, ErrorCode.CANCELLED, place + " was interrupted.", e);
        } else if (cut.isPresent()) {
            failure =
                    failure(
                            Reason.TIME,
                            acted ? ErrorCode.OUTCOME_UNKNOWN : ErrorCode.TIMED_OUT,
                            place + ": " + cut.get() + ".",
                            e);
        } else {
            String kind =
                    e instanceof SSLException
                            ? " could not be secured by TLS: "
                            : e instanceof MalformedException ? " was given up: " : " broke: ";
            failure =
                    failure(
                            Reason.UNREACHABLE,
                            acted ? ErrorCode.OUTCOME_UNKNOWN : ErrorCode.TOOL_UNAVAILABLE,
                            place + kind + DisplayText.text(e.getMessage() + "."),
                            e);
        }
        counts.refused(failure.reason());
        connection.fail(failure.getMessage());
        return failure;
    }

    private static RefusedException failure(
            Reason reason, ErrorCode code, String message, IOException cause) {
        return new RefusedException(reason, code, message, cause);
    }

    private OutboundConnection register(OutboundConnection outbound) {
        counts.connections.increment();
        counts.open.incrementAndGet();
        open.add(outbound);
        if (closed) {
            outbound.cut("egress is shutting down");
            throw new RefusedException(
                    Reason.UNREACHABLE,
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Egress is shutting down; try again.");
        }
        return outbound;
    }

    private OutboundConnection connected(
            String id, ConnectionRequest request, List<InetAddress> addresses, long deadlineNanos) {
        RefusedException last = null;
        for (int i = 0; i < addresses.size(); i++) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            long share = Math.max(1, left / (addresses.size() - i));
            try {
                return connected(id, request, addresses.get(i), deadlineNanos, (int) share);
            } catch (RefusedException e) {
                last = e;
            }
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        throw last;
    }

    private OutboundConnection connected(
            String id,
            ConnectionRequest request,
            InetAddress address,
            long deadlineNanos,
            int millis) {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.socket().setTcpNoDelay(true);
            channel.socket().connect(new InetSocketAddress(address, request.port()), millis);
            return new OutboundConnection(id, request, address, channel, deadlineNanos, this);
        } catch (IOException e) {
            closeQuietly(channel);
            boolean interrupted = Thread.currentThread().isInterrupted();
            boolean late = e instanceof SocketTimeoutException;
            String why =
                    interrupted
                            ? " was not reached because the caller was interrupted."
                            : late
                                    ? " did not answer before the timeout."
                                    : " cannot be reached: "
                                            + DisplayText.text(e.getMessage() + ".");
            throw new RefusedException(
                    late ? Reason.TIME : Reason.UNREACHABLE,
                    interrupted
                            ? ErrorCode.CANCELLED
                            : late ? ErrorCode.TIMED_OUT : ErrorCode.TOOL_UNAVAILABLE,
                    request.hostAndPort() + " at " + IpLiterals.text(address) + why,
                    request.hostAndPort() + why,
                    e);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // nothing is lost with it
        }
    }

    void onClosed(OutboundConnection outbound, String id, ObjectNode entry) {
        open.remove(outbound);
        counts.open.decrementAndGet();
        log.closed(id, entry);
    }

    /** Decides on each tunnel that is open again, and cuts those that may be open no more. */
    void decideAgain() {
        boolean waited = false; // for a policy that is absent: once is enough
        for (OutboundConnection outbound : open) {
            if (!outbound.request().isTunnel()) {
                continue;
            }
            Optional<RefusedException> why =
                    waited && !authorizer.hasPolicy()
                            ? Optional.of(EgressPolicy.absent(outbound.request()))
                            : authorizer.refusalOf(outbound.request(), outbound.address());
            why.ifPresent(refusal -> withdraw(outbound, refusal));
            waited |= why.filter(e -> e.reason() == Reason.POLICY_UNAVAILABLE).isPresent();
        }
    }

    private void withdraw(OutboundConnection outbound, RefusedException why) {
        counts.refused(why.reason());
        outbound.cut("it is allowed no more: " + why.shown());
    }

    /** Cuts all. */
    @Override
    public void close() {
        closed = true;
        open.forEach(outbound -> outbound.cut("egress was shut down"));
    }
}
