package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.transport.grpc.internal.call.Caller;

/**
 * Bounds connections as they are accepted and as credentials are accepted on them. A connection
 * without a credential never keeps one with a credential out: it takes one of a few places beside
 * theirs, and gives way to the next one, the least recently used first. Sits on the listening
 * channel, before anything is spent on a connection. Thread-safe.
 */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {
    /** One in so many places is kept for connections on which no credential was accepted yet. */
    static final int STRANGERS_SHARE = 8;

    private static final Comparator<Connection> LEAST_RECENTLY_USED =
            Comparator.comparingLong(connection -> connection.usedMillis);

    private final Map<Ends, Connection> open = new HashMap<>(); // guarded by this
    private final Map<String, Integer> calls = new HashMap<>(); // guarded by this: by credential
    private final CallCounts counts;
    private final LongSupplier millis;
    private int most; // guarded by this
    private ServerSettings.Shares shares; // guarded by this

    /** Both ends of a connection: what tells it from every other one that is open. */
    private record Ends(SocketAddress remote, SocketAddress local) {}

    Connections(int most, ServerSettings.Shares shares, CallCounts counts, LongSupplier millis) {
        this.most = most;
        this.shares = shares;
        this.counts = counts;
        this.millis = millis;
    }

    /** Bounds connections from now on; those that are open stay. */
    synchronized void bound(int connections, ServerSettings.Shares changed) {
        most = connections;
        shares = changed;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel channel = (Channel) accepted;
        Ends ends = new Ends(channel.remoteAddress(), channel.localAddress());
        Connection arriving = new Connection(channel, Networks.of(ends.remote), millis.getAsLong());
        List<Connection> leaving = admit(ends, arriving);
        channel.closeFuture().addListener(closed -> forget(ends, arriving));
        leaving.forEach(Connection::cut);
        context.fireChannelRead(accepted);
    }

    private synchronized List<Connection> admit(Ends ends, Connection arriving) {
        List<Connection> leaving = new ArrayList<>();
        Predicate<Connection> neighbour = other -> other.network().equals(arriving.network());
        if (strangers(neighbour).count() >= shares.perAddress()) {
            stranger(neighbour).ifPresent(leaving::add);
        }
        leaving.forEach(this::forget);
        if (open.size() >= most && strangers(any -> true).count() >= reserve()) {
            stranger(any -> true)
                    .ifPresent(
                            other -> {
                                leaving.add(other);
                                forget(other);
                            });
        }
        leaving.forEach(other -> counts.connectionRefused());
        open.put(ends, arriving);
        return leaving;
    }

    private int reserve() {
        return Math.max(1, most / STRANGERS_SHARE);
    }

    private Stream<Connection> strangers(Predicate<Connection> among) {
        return open.values().stream().filter(Connection::isStranger).filter(among);
    }

    /** The stranger that gives way: an idle one if there is one. */
    private Optional<Connection> stranger(Predicate<Connection> among) {
        return strangers(among)
                .min(
                        Comparator.comparing((Connection other) -> !other.isIdle())
                                .thenComparing(LEAST_RECENTLY_USED));
    }

    private synchronized void forget(Ends ends, Connection closed) {
        open.remove(ends, closed);
    }

    private void forget(Connection closed) {
        open.values().remove(closed);
    }

    /** Returns the connection with these ends; empty when it is closing. */
    synchronized Optional<Connection> find(SocketAddress remote, SocketAddress local) {
        return Optional.ofNullable(open.get(new Ends(remote, local)));
    }

    /** Takes note of a call that begins or ends. */
    synchronized void used(Connection connection, int callsMore) {
        connection.calls += callsMore;
        connection.usedMillis = millis.getAsLong();
    }

    /**
     * Takes note of a call whose credential was accepted.
     *
     * @param connection that it came over; null when that is closing
     * @throws PalyraException RESOURCE_EXHAUSTED when the credential has too many calls or
     *     connections, or all connections are busy
     */
    void accepted(Connection connection, String credential, Caller.Proof proof) {
        Optional<Connection> leaving;
        synchronized (this) {
            leaving = place(connection, credential);
            int going = calls.getOrDefault(credential, 0);
            if (going >= shares.callsPerCredential()) {
                throw exhausted(
                        "This credential has "
                                + going
                                + " calls open, which is the most; end some of them first.");
            }
            calls.merge(credential, 1, Integer::sum);
            if (connection != null && connection.isStranger()) {
                connection.credential = credential;
                connection.proof = proof;
            }
            leaving.ifPresent(this::forget);
        }
        leaving.ifPresent(
                other -> {
                    counts.connectionRefused();
                    other.close();
                });
    }

    /** Returns the idle connection that makes place; empty when there is place. */
    private Optional<Connection> place(Connection connection, String credential) {
        if (connection == null || !connection.isStranger()) {
            return Optional.empty();
        }
        List<Connection> own = known(credential);
        if (own.size() >= shares.perCredential()) {
            return Optional.of(
                    idle(own)
                            .orElseThrow(
                                    () ->
                                            exhausted(
                                                    "This credential has "
                                                            + own.size()
                                                            + " connections with calls on them,"
                                                            + " which is the most; use one of"
                                                            + " them.")));
        }
        Map<String, List<Connection>> all = new HashMap<>();
        open.values().stream()
                .filter(other -> !other.isStranger())
                .forEach(
                        other ->
                                all.computeIfAbsent(other.credential, id -> new ArrayList<>())
                                        .add(other));
        if (all.values().stream().mapToInt(List::size).sum() < most) {
            return Optional.empty();
        }
        return Optional.of(
                all.values().stream()
                        .sorted(Comparator.comparingInt((List<Connection> its) -> -its.size()))
                        .flatMap(its -> idle(its).stream())
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        exhausted(
                                                "All "
                                                        + most
                                                        + " connections of the gateway are busy;"
                                                        + " try again in a moment.")));
    }

    private List<Connection> known(String credential) {
        return open.values().stream().filter(one -> one.credential.equals(credential)).toList();
    }

    private static Optional<Connection> idle(List<Connection> among) {
        return among.stream().filter(Connection::isIdle).min(LEAST_RECENTLY_USED);
    }

    private static PalyraException exhausted(String why) {
        return new PalyraException(ErrorCode.RESOURCE_EXHAUSTED, why);
    }

    /** Takes note of the end of a call that was {@link #accepted}. */
    synchronized void ended(String credential) {
        calls.computeIfPresent(credential, (id, going) -> going == 1 ? null : going - 1);
    }

    /** Makes a connection a stranger's again, because its credential counts no longer. */
    synchronized void distrust(Connection connection) {
        connection.credential = "";
        connection.proof = null;
    }

    /** Cuts strangers' connections that were without a call for too long. */
    void tidy() {
        List<Connection> over;
        synchronized (this) {
            long since = millis.getAsLong() - 1_000L * shares.unauthenticatedSeconds();
            over = strangers(one -> one.isIdle() && one.usedMillis < since).toList();
            over.forEach(this::forget);
        }
        over.forEach(Connection::cut);
    }

    /** Returns the connections that are open now. */
    synchronized List<Connection> all() {
        return List.copyOf(open.values());
    }

    /** Returns how many connections are open. */
    synchronized int open() {
        return open.size();
    }
}
