package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a sandboxed command to its proxy: one request, then the end. {@link #cut} may
 * be called from any thread.
 */
final class ProxyConnection {
    private static final String HOST_LOOPBACK =
            " By the proxy this is the loopback of the host. A server that the command itself starts"
                    + " is reached without the proxy (--noproxy '*', NO_PROXY), or in the sandbox of"
                    + " the session.";
    private static final Logger LOG = LoggerFactory.getLogger(ProxyConnection.class);
    private static final long DRAIN_MILLIS = 2_000;
    private static final int DRAIN_BYTES = 262_144;

    private final SocketChannel client;
    private final ProxySocket.ProxyParts parts;
    private final DeadlineWatchdog.Timer timer;
    private final ConnectionInput in;
    private final OutputStream out;
    private final Function<Runnable, Thread> threads;
    private volatile OutboundConnection outbound; // null until connected
    private volatile String cut = ""; // why, or empty

    ProxyConnection(
            SocketChannel client,
            ProxySocket.ProxyParts parts,
            Function<Runnable, Thread> threads) {
        this.client = client;
        this.parts = parts;
        this.threads = threads;
        timer = parts.watchdog().timer(this::cut);
        in = new ConnectionInput(ChannelStreams.in(client));
        out = ChannelStreams.out(client);
    }

    ProxySocket.ProxyParts parts() {
        return parts;
    }

    ConnectionInput in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    SocketChannel client() {
        return client;
    }

    /** Reads the request and does it; returns when all is over. */
    void serve() {
        try {
            timer.within(
                    parts.limits().headMillis(),
                    "the request did not arrive before the" + " timeout");
            ProxyRequest request = request(Head.read(in));
            if (request.tunnel()) {
                new Tunnel(this, threads).serve(request);
            } else {
                new HttpForwarder(this).serve(request);
            }
        } catch (MalformedException e) {
            countRefusal(Reason.REQUEST);
            fail(e);
            refuse(400, "The request is refused: " + e.getMessage() + ".");
        } catch (RefusedException e) {
            refuse(status(e), e.shown());
        } catch (IOException e) {
            LOG.debug("A connection to the proxy ended.", e);
            fail(e);
        } catch (RuntimeException e) {
            LOG.error("The proxy failed on a connection.", e);
            fail(e);
        } finally {
            end();
        }
    }

    private ProxyRequest request(Head head) throws MalformedException {
        try {
            return ProxyRequest.of(head);
        } catch (RefusedException e) {
            countRefusal(e.reason());
            throw e;
        }
    }

    private static int status(RefusedException e) {
        return switch (e.code()) {
            case DENIED -> 403;
            case INVALID_ARGUMENT -> 400;
            case POLICY_UNAVAILABLE, JOURNAL_UNAVAILABLE, RESOURCE_EXHAUSTED, DISK_FULL -> 503;
            case TIMED_OUT -> 504;
            default -> 502;
        };
    }

    void countRefusal(Reason reason) {
        parts.outboundConnections().counts().refused(reason);
    }

    /**
     * Makes the connection to where a request wants to.
     *
     * @throws RefusedException when it may not or cannot be made
     */
    OutboundConnection connect(Host host, int port, String method) {
        try {
            return connectAllowed(host, port, method);
        } catch (RefusedException e) {
            parts.refused().add(host + ":" + port, e.shown());
            throw e;
        }
    }

    private static boolean isLoopback(Host host) {
        String name = host.toString();
        return name.equals("localhost") || name.equals("::1") || name.startsWith("127.");
    }

    private OutboundConnection connectAllowed(Host host, int port, String method) {
        ConnectionRequest connectionRequest =
                new ConnectionRequest(
                        parts.caller(), host, port, method, parts.quota().bytesLeft());
        if (!HostPattern.anyMatches(parts.allowed(), host, port)) {
            throw parts.outboundConnections()
                    .refused(
                            connectionRequest,
                            RefusedException.denied(
                                    Reason.NOT_LISTED,
                                    connectionRequest.hostAndPort()
                                            + " is blocked by the egress policy: it is not among"
                                            + " the hosts of this call."
                                            + (isLoopback(host)
                                                    ? HOST_LOOPBACK
                                                    : " Name it in hosts, about which a person may be"
                                                            + " asked, or ask the operator to add it"
                                                            + " to allowedHosts of palyra.sandbox.")));
        }
        String usedUp =
                parts.quota().bytesUsedUp()
                        ? "bytes"
                        : parts.quota().takeConnection() ? "" : "connections";
        if (!usedUp.isEmpty()) {
            throw parts.outboundConnections()
                    .refused(
                            connectionRequest,
                            RefusedException.denied(
                                    Reason.LIMIT,
                                    "The " + usedUp + " that were allowed are used up."));
        }
        timer.off(); // names and connections have limits of their own
        OutboundConnection made =
                parts.outboundConnections().open(connectionRequest, parts.limits().connectMillis());
        outbound = made;
        if (!cut.isEmpty()) {
            made.cut(cut);
        }
        touch();
        return made;
    }

    /** Something went through: the silence begins again. */
    void touch() {
        timer.within(parts.limits().idleMillis(), "the connection was idle for too long");
    }

    /** Waits for the first message of a tunnel as for a head. */
    void awaitHello() {
        timer.within(parts.limits().headMillis(), "TLS was not started in time");
    }

    /** Passes bytes on until there are no more; every one of them counts. */
    void pass(InputStream from, OutputStream to, Framing framing) throws IOException {
        byte[] buffer = new byte[16_384];
        for (int got = from.read(buffer); got >= 0; got = from.read(buffer)) {
            touch();
            parts.quota().take(got);
            framing.write(to, buffer, got);
            touch();
        }
    }

    /** Says no, and lets the response arrive before the end. */
    void refuse(int status, String message) {
        byte[] body = ("palyra: " + message + "\n").getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 "
                        + status
                        + " Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                        + body.length
                        + "\r\nConnection: close\r\n\r\n";
        try {
            timer.within(DRAIN_MILLIS, "the client did not read it in time");
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            client.shutdownOutput();
            byte[] rest = new byte[8_192];
            int read = 0;
            for (int got = in.read(rest); got >= 0 && read < DRAIN_BYTES; got = in.read(rest)) {
                read += got;
            }
        } catch (IOException e) {
            LOG.debug("A refusal was not taken.", e);
        }
    }

    /** Ends it at once. Does not block. */
    void cut(String why) {
        cut = why;
        OutboundConnection current = outbound;
        if (current != null) {
            current.cut(why);
        }
        closeClient();
    }

    /** Ends it at once when it leads somewhere; one that is being refused gets its answer. */
    void cutOutbound(String why) {
        if (outbound != null) {
            cut(why);
        }
    }

    private void fail(Exception e) {
        OutboundConnection current = outbound;
        if (current != null) {
            current.fail(String.valueOf(e.getMessage()));
        }
    }

    private void end() {
        timer.close();
        OutboundConnection current = outbound;
        if (current != null) {
            current.close();
        }
        closeClient();
    }

    private void closeClient() {
        try {
            client.close();
        } catch (IOException e) {
            LOG.debug("A connection could not be closed.", e);
        }
    }
}
