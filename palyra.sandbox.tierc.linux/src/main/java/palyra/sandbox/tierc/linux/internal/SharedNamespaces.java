package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.shared.confine.OwnedProcess;
import palyra.shared.confine.Refusals;

/**
 * The namespaces that the commands of a session share, and the process that holds them.
 * Thread-safe.
 */
final class SharedNamespaces extends OwnedProcess {
    private static final long READY_MILLIS = 10_000;
    private static final long PAUSE_MILLIS = 1;
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;

    private final SandboxProcess process;
    private final long pid;
    private final String network;
    private final boolean unixSockets;
    private final AtomicInteger bridges = new AtomicInteger();

    private SharedNamespaces(
            SandboxProcess process, long pid, String network, boolean unixSockets) {
        super(process, () -> {});
        this.process = process;
        this.pid = pid;
        this.network = network;
        this.unixSockets = unixSockets;
    }

    /**
     * Takes over a process whose namespaces are shared.
     *
     * @param unixSockets whether commands may make Unix sockets
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when it has ended, or its namespaces
     *     cannot be seen; then it was closed
     */
    static SharedNamespaces of(SandboxProcess process, boolean unixSockets) {
        try {
            long inner = process.innerPid(READY_MILLIS);
            if (inner > 1 && isReady(process, inner)) {
                String network =
                        Files.readSymbolicLink(Path.of("/proc/" + inner + "/ns/net")).toString();
                return new SharedNamespaces(process, inner, network, unixSockets);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            process.close();
            throw Refusals.unavailable(
                    "The namespaces of a shared sandbox cannot be seen: " + e + ".", "Try again.");
        }
        process.close();
        throw Refusals.unavailable("A shared sandbox ended before it was ready.", "Try again.");
    }

    /**
     * Waits until the first process inside has become the one that waits, with its helper:
     * bubblewrap names it before its mounts are made. Until then its name is that of bubblewrap;
     * see proc(5).
     */
    private static boolean isReady(SandboxProcess process, long inner)
            throws IOException, InterruptedException {
        Path name = Path.of("/proc/" + inner + "/comm");
        Path children = Path.of("/proc/" + inner + "/task/" + inner + "/children");
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
        while (System.nanoTime() - end < 0) {
            if (Files.readString(name).strip().equals(SharedCommands.WAITING)
                    && !Files.readString(children).isBlank()) {
                return true;
            }
            if (process.await(PAUSE_MILLIS).isPresent()) {
                return false;
            }
        }
        return false;
    }

    /** Returns the process that the launcher knows. */
    SandboxProcess process() {
        return process;
    }

    @Override
    public long innerPid(long millis) {
        return pid;
    }

    /** Returns the host's id of the first process inside. */
    long inside() {
        return pid;
    }

    /** Returns the network namespace, as {@code /proc/self/ns/net} reads inside. */
    String network() {
        return network;
    }

    /** Returns whether commands may make Unix sockets. */
    boolean unixSockets() {
        return unixSockets;
    }

    /** Returns a port of the loopback for the bridge of one command. */
    int nextPort() {
        return FIRST_PORT + Math.floorMod(bridges.getAndIncrement(), PORTS);
    }
}
