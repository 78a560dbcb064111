package palyra.shell.internal.socket;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.Credential;
import palyra.api.core.ops.LoopView;
import palyra.shared.gate.Gate;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.shell.internal.host.CommandHost;
import palyra.shell.internal.host.LocalPeers;

/** Listens on the command socket and serves each client on a thread of its own. */
final class CommandServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandServer.class);
    private static final long WITHDRAW_MILLIS = 3_000;
    private static final long JOIN_MILLIS = 2_000;

    /** Backoff for repeated failures to accept, such as without file descriptors. */
    private static final Backoff SOON =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMinutes(1));

    /** Allowed connections per running command, for those that do not run one. */
    private static final int WAITING_FACTOR = 4;

    private final Path path;
    private final CommandHost host;
    private final Gate<Access> access;
    private final LocalPeers peers;
    private final ServerSocketChannel server;
    private final Deadlines deadlines = new Deadlines();
    private final Admission admission = new Admission(() -> limits().maxConnections());
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final SupervisedLoop acceptor;
    private volatile Limits limits;
    private volatile boolean closed;
    private long accepted; // acceptor thread only

    private CommandServer(
            Path path,
            ServerSocketChannel server,
            CommandHost host,
            Gate<Access> access,
            LocalPeers peers,
            Limits limits) {
        this.path = path;
        this.server = server;
        this.host = host;
        this.access = access;
        this.peers = peers;
        this.limits = limits;
        LoopSpec spec = LoopSpec.of("palyra-command-socket", "palyra.shell");
        this.acceptor = new SupervisedLoop(spec.withBackoff(SOON), this::acceptAll);
    }

    /** Listens at {@code path}. */
    static CommandServer open(Path path, CommandHost host, Gate<Access> access, Limits limits)
            throws IOException {
        ServerSocketChannel channel = SocketFile.listen(path);
        try {
            LocalPeers peers = LocalPeers.of(path.getParent());
            CommandServer server = new CommandServer(path, channel, host, access, peers, limits);
            server.acceptor.start();
            return server;
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private Limits limits() {
        return limits;
    }

    /** Sets limits for new connections. */
    void limits(Limits changed) {
        limits = changed;
    }

    /** Returns the state of the threads. */
    List<LoopView> loops() {
        return List.of(acceptor.view(), deadlines.loop());
    }

    private void acceptAll(Heartbeat pulse) throws IOException {
        while (!closed && server.isOpen()) {
            pulse.idle();
            try {
                SocketChannel channel = server.accept();
                pulse.beat();
                serve(channel);
            } catch (ClosedChannelException e) {
                LOG.debug("A channel was closed meanwhile.", e); // whose, the condition tells
            }
        }
    }

    private void serve(SocketChannel channel) throws IOException {
        boolean served = false;
        try {
            accept(channel);
            served = true;
        } finally {
            if (!served) {
                channel.close();
            }
        }
    }

    private void accept(SocketChannel channel) throws IOException {
        Limits now = limits;
        if (connections.size() >= WAITING_FACTOR * now.maxConnections()) {
            channel.close();
            return;
        }
        Connection connection =
                new Connection(deadlines.limit(channel, now), host, caller(channel), admission);
        connections.add(connection);
        Thread.ofVirtual()
                .name("palyra-connection-" + ++accepted)
                .start(
                        () -> {
                            try {
                                connection.serve();
                            } finally {
                                connections.remove(connection);
                            }
                        });
    }

    /** Called on the command's thread: without access control, only that command waits. */
    private Supplier<Principal> caller(SocketChannel channel) {
        return () -> {
            Credential credential = credential(channel);
            return access.call(service -> service.authenticate(credential));
        };
    }

    private Credential credential(SocketChannel channel) {
        try {
            return peers.peer(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    "The system does not say who is at the other end of the socket; connect again.",
                    e);
        }
    }

    /** Stops listening, tells running commands to end, waits for them, and closes. */
    @Override
    public void close() {
        closed = true;
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("The command socket {} could not be removed", path, e);
        }
        connections.forEach(Connection::withdraw);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WITHDRAW_MILLIS);
        for (Connection connection : connections) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (!connection.isOwn()) {
                connection.await(Math.max(0, left));
                connection.close();
            }
        }
        deadlines.close();
        try {
            acceptor.stop();
            acceptor.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
