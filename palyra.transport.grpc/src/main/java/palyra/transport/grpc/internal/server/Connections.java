package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.connection.ConnectionLimits;
import palyra.shared.connection.Networks;
import palyra.transport.grpc.internal.call.Caller;

/**
 * Bounds connections as they are accepted and as credentials are accepted on them, and calls of one
 * credential. Sits on the listening channel, before anything is spent on a connection. Thread-safe.
 */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {
    private static final int ACCEPTED_AT_ONCE = 16;

    private final ConnectionLimits<Connection> bounds;
    private final Map<Ends, Connection> open = new ConcurrentHashMap<>();
    private final Map<String, Integer> calls = new HashMap<>(); // guarded by this: by credential
    private final CallCounts counts;
    private int callsPerCredential; // guarded by this
    private volatile int mostDescriptors; // that connections may have, those that close included

    /** Both ends of a connection: what tells it from every other one that is open. */
    private record Ends(SocketAddress remote, SocketAddress local) {}

    Connections(int most, ServerSettings.Shares shares, CallCounts counts, LongSupplier millis) {
        this.counts = counts;
        bounds = new ConnectionLimits<>(shares.limits(most), millis);
        callsPerCredential = shares.callsPerCredential();
        mostDescriptors = descriptors(most);
    }

    /** Two strangers' shares beside all with a credential: one that is open, one that closes. */
    private static int descriptors(int most) {
        return most + 2 * (most / ConnectionLimits.STRANGERS_SHARE) + ACCEPTED_AT_ONCE;
    }

    /** Bounds connections from now on; those that are open stay. */
    synchronized void bound(int connections, ServerSettings.Shares changed) {
        bounds.limits(changed.limits(connections));
        callsPerCredential = changed.callsPerCredential();
        mostDescriptors = descriptors(connections);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel channel = (Channel) accepted;
        Ends ends = new Ends(channel.remoteAddress(), channel.localAddress());
        Connection arriving = new Connection(channel, Networks.of(ends.remote));
        List<Connection> leaving = bounds.admit(arriving);
        open.put(ends, arriving);
        Channel listening = context.channel();
        channel.closeFuture().addListener(closed -> forget(ends, arriving, listening));
        acceptWhileThereIsRoom(listening);
        leaving.forEach(other -> counts.connectionRefused());
        leaving.forEach(Connection::cut);
        context.fireChannelRead(accepted);
    }

    private void forget(Ends ends, Connection closed, Channel listening) {
        open.remove(ends, closed);
        bounds.forget(closed);
        if (listening.isActive() && !listening.config().isAutoRead()) {
            listening.eventLoop().execute(() -> acceptWhileThereIsRoom(listening));
        }
    }

    /**
     * A flood is accepted faster than closed; a connection that is not accepted takes no
     * descriptor.
     */
    private void acceptWhileThereIsRoom(Channel listening) {
        listening.config().setAutoRead(open.size() < mostDescriptors);
    }

    /** Returns the connection with these ends; empty when it is closed. */
    Optional<Connection> find(SocketAddress remote, SocketAddress local) {
        return Optional.ofNullable(open.get(new Ends(remote, local)));
    }

    /** Takes note of a call that begins or ends. */
    void used(Connection connection, int callsMore) {
        bounds.used(connection, callsMore);
    }

    /**
     * Takes note of a call whose credential was accepted.
     *
     * @param connection that it came over; null when that is closing
     * @throws PalyraException RESOURCE_EXHAUSTED when the credential has too many calls or
     *     connections, or all connections are busy
     */
    void accepted(Connection connection, String credential, Caller.Proof proof) {
        place(connection, credential, proof)
                .ifPresent(
                        other -> {
                            counts.connectionRefused();
                            other.close();
                        });
    }

    private synchronized Optional<Connection> place(
            Connection connection, String credential, Caller.Proof proof) {
        int going = calls.getOrDefault(credential, 0);
        if (going >= callsPerCredential) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "This credential has "
                            + going
                            + " calls open, which is the most; end some of them first.");
        }
        Optional<Connection> leaving = Optional.empty();
        if (connection != null && connection.isStranger()) {
            leaving = bounds.accepted(connection, credential);
            connection.proof = proof;
        }
        calls.merge(credential, 1, Integer::sum);
        return leaving;
    }

    /** Takes note of the end of a call that was {@link #accepted}. */
    synchronized void ended(String credential) {
        calls.computeIfPresent(credential, (id, going) -> going == 1 ? null : going - 1);
    }

    /** Makes a connection a stranger's again, because its credential counts no longer. */
    synchronized void distrust(Connection connection) {
        bounds.distrust(connection);
        connection.proof = null;
    }

    /** Cuts strangers' connections that were without a call for too long. */
    void tidy() {
        bounds.overdue().forEach(Connection::cut);
    }

    /** Returns the connections that are open now. */
    List<Connection> all() {
        return bounds.all();
    }

    /** Returns how many connections are open. */
    int open() {
        return bounds.open();
    }
}
