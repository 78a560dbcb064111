package palyra.sandbox.tierc.macos.internal.bridge;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A TCP port of the loopback interface that leads to one command's egress proxy, whose socket of
 * the file system no tool knows how to use as a proxy. macOS has no network namespaces: every
 * process of the host can reach the port. So each connection has to give a secret of this command
 * in its first request; without it nothing reaches the proxy.
 *
 * <p>At most {@value #MOST_CONNECTIONS} connections at a time; a further one is closed at once.
 * Thread-safe.
 */
public final class Bridge implements AutoCloseable {
    static final int MOST_CONNECTIONS = 64;
    static final String USER = "palyra";
    private static final long STOP_MILLIS = 5_000;

    private final Path proxy;
    private final String secret;
    private final String name;
    private final List<ServerSocket> listeners;
    private final List<Thread> acceptors = new ArrayList<>(); // complete before it is given out
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<BridgeConnection> connections = new HashSet<>(); // guarded by lock
    private boolean closed; // guarded by lock

    private Bridge(String callId, Path proxy, List<ServerSocket> listeners) {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        this.proxy = proxy;
        this.secret = HexFormat.of().formatHex(random);
        this.name = "palyra-sandbox-bridge-" + callId;
        this.listeners = listeners;
    }

    /**
     * Opens a bridge.
     *
     * @param proxy the proxy's socket in the file system
     * @throws PalyraException TOOL_UNAVAILABLE when no port can be opened
     */
    public static Bridge open(String callId, Path proxy) {
        try {
            Bridge bridge = new Bridge(callId, proxy, Loopback.open());
            for (ServerSocket listener : bridge.listeners) {
                bridge.acceptors.add(bridge.thread("accept", () -> bridge.accept(listener)));
            }
            bridge.acceptors.forEach(Thread::start);
            return bridge;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "No loopback port can be opened for the egress proxy of a command ("
                            + e.getMessage()
                            + "); look at what holds the ports of this host.",
                    e);
        }
    }

    /** Returns its port. */
    public int port() {
        return listeners.get(0).getLocalPort();
    }

    /** Returns the URL for {@code http_proxy}; it holds the secret. */
    public String url() {
        return "http://" + USER + ":" + secret + "@127.0.0.1:" + port();
    }

    private void accept(ServerSocket listener) {
        while (!listener.isClosed()) {
            try {
                take(listener.accept());
            } catch (IOException e) {
                if (listener.isClosed()) {
                    return;
                }
                // the client was gone again, or descriptors are short: the next one may do
                rest();
            }
        }
    }

    private static void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(Socket client) {
        BridgeConnection connection = new BridgeConnection(client, proxy, secret);
        lock.lock();
        try {
            if (closed || connections.size() >= MOST_CONNECTIONS) {
                connection.close();
                return;
            }
            connections.add(connection);
        } finally {
            lock.unlock();
        }
        thread("serve", () -> serve(connection)).start();
    }

    private void serve(BridgeConnection connection) {
        try (connection) {
            Thread back = thread("back", connection::pumpBack);
            connection.serve(back);
        } finally {
            lock.lock();
            try {
                connections.remove(connection);
            } finally {
                lock.unlock();
            }
        }
    }

    private Thread thread(String what, Runnable work) {
        Thread thread = new Thread(work, name + "-" + what);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the number of open connections. */
    int open() {
        lock.lock();
        try {
            return connections.size();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the port, cuts all connections and waits for the threads that accept. */
    @Override
    public void close() {
        List<BridgeConnection> open;
        lock.lock();
        try {
            closed = true;
            open = List.copyOf(connections);
        } finally {
            lock.unlock();
        }
        Loopback.closeAll(listeners);
        open.forEach(BridgeConnection::close);
        for (Thread acceptor : acceptors) {
            try {
                acceptor.join(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
