package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressProxies.EgressProxy;

/** A proxy on a Unix socket of its own, with its threads. Thread-safe. */
final class ProxySocket implements EgressProxy {
    private static final Logger LOG = LoggerFactory.getLogger(ProxySocket.class);
    private static final int BACKLOG = 128;
    private static final long JOIN_MILLIS = 5_000;

    private final Path folder;
    private final ServerSocketChannel server;
    private final ProxyParts parts;
    private final Consumer<ProxySocket> whenClosed;
    private final Semaphore places;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicLong number = new AtomicLong();
    private final Map<ProxyConnection, Thread> connections = new ConcurrentHashMap<>();
    private final Thread acceptor;

    /** What every connection of a proxy shares. */
    record ProxyParts(
            EgressContext caller,
            List<HostPattern> allowed,
            ProxyQuota quota,
            ProxyLimits limits,
            OutboundConnections outboundConnections,
            DeadlineWatchdog watchdog,
            RefusedHosts refused) {}

    private ProxySocket(
            Path folder,
            ServerSocketChannel server,
            ProxyParts parts,
            Consumer<ProxySocket> whenClosed) {
        this.folder = folder;
        this.server = server;
        this.parts = parts;
        this.whenClosed = whenClosed;
        places = new Semaphore(parts.limits().connections());
        acceptor = thread("accept", this::accept);
    }

    /** Opens a proxy in a folder that is its own. TOOL_UNAVAILABLE when it cannot be opened. */
    static ProxySocket open(Path folder, ProxyParts parts, Consumer<ProxySocket> whenClosed) {
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(folder.resolve(SocketFolders.SOCKET)), BACKLOG);
            ProxySocket proxy = new ProxySocket(folder, server, parts, whenClosed);
            proxy.acceptor.start();
            return proxy;
        } catch (IOException | UnsupportedOperationException e) {
            closeQuietly(server);
            SocketFolders.remove(folder);
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The proxy cannot open a socket in " + folder + ": " + e.getMessage(),
                    e);
        }
    }

    private Thread thread(String what, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("palyra-sandbox-egress-" + folder.getFileName() + "-" + what)
                .unstarted(work);
    }

    /** One more connection is taken only when there is a place for it. */
    private void accept() {
        try {
            while (open.get()) {
                places.acquire();
                start(server.accept());
            }
        } catch (InterruptedException e) {
            LOG.debug("The proxy {} is being closed.", folder);
        } catch (IOException e) {
            if (open.get()) {
                LOG.error("The proxy {} takes no more connections.", folder, e);
            }
        }
    }

    private void start(SocketChannel client) {
        ProxyConnection connection = new ProxyConnection(client, parts, this::helper);
        Thread thread = thread(number.incrementAndGet() + "", () -> serve(connection));
        connections.put(connection, thread);
        thread.start();
        if (!open.get()) {
            connection.cut("the proxy was closed");
        }
    }

    private Thread helper(Runnable work) {
        return thread(number.incrementAndGet() + "", work);
    }

    private void serve(ProxyConnection connection) {
        try {
            connection.serve();
        } finally {
            connections.remove(connection);
            places.release();
            if (parts.quota().bytesUsedUp()) {
                connections
                        .keySet()
                        .forEach(other -> other.cutOutbound("the byte quota is used up"));
            }
        }
    }

    private void cutAll(String why) {
        connections.keySet().forEach(connection -> connection.cut(why));
    }

    @Override
    public String folder() {
        return folder.toString();
    }

    @Override
    public List<String> refusals() {
        return parts.refused().sentences();
    }

    @Override
    public boolean alive() {
        return open.get() && acceptor.isAlive();
    }

    @Override
    public void close() {
        if (!open.compareAndSet(true, false)) {
            return;
        }
        closeQuietly(server);
        acceptor.interrupt();
        List<Thread> threads = List.copyOf(connections.values());
        cutAll("the proxy was closed");
        threads.forEach(Thread::interrupt); // out of look-ups and attempts to connect
        join(acceptor);
        threads.forEach(ProxySocket::join);
        SocketFolders.remove(folder);
        whenClosed.accept(this);
    }

    private static void join(Thread thread) {
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(ServerSocketChannel server) {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            LOG.debug("A server socket could not be closed.", e);
        }
    }
}
