package palyra.sandbox.internal.canary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import palyra.api.core.sandbox.SharedSandbox;
import palyra.shared.files.FileTree;
import palyra.shared.hash.Ulids;

/**
 * The environment of one self-test: a workspace that commands may write, a folder outside of it
 * that they must not touch, and places that they must not reach. For one thread.
 */
final class CanaryEnvironment implements AutoCloseable {
    /** Longest path of a Unix socket that every system takes, see unix(7). */
    private static final int MAX_SOCKET_PATH = 100;

    private static final int BACKLOG = 8;
    private static final String INSIDE = ".canary-";
    private static final String OUTSIDE = "canary-";
    private static final String SHARED = "-shared";
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path workspace;
    private final Path outside;
    private final String secret;
    private final ServerSocket port;
    private final ServerSocket otherPort;
    private final Optional<ServerSocketChannel> socket;

    private CanaryEnvironment(Path workspace, Path outside, String secret) throws IOException {
        this.workspace = workspace;
        this.outside = outside;
        this.secret = secret;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        this.port = new ServerSocket(0, BACKLOG, loopback);
        this.otherPort = new ServerSocket(0, BACKLOG, loopback);
        port.setSoTimeout(1);
        otherPort.setSoTimeout(1);
        this.socket = socket(outside.resolve("s"));
    }

    /**
     * Makes one.
     *
     * @param workspaces folder of workspaces
     * @param gatewayFolder folder of the gateway, which no workspace may touch
     */
    static CanaryEnvironment make(Path workspaces, Path gatewayFolder) throws IOException {
        sweep(workspaces, INSIDE);
        sweep(gatewayFolder, OUTSIDE);
        String id = new Ulids().next();
        Path workspace = folder(workspaces, INSIDE + id);
        Path outside = folder(gatewayFolder, OUTSIDE + id);
        Files.writeString(outside.resolve("secret"), id + "-outside\n");
        Files.writeString(workspace.resolve("plain"), id + "-inside\n");
        return new CanaryEnvironment(workspace.toRealPath(), outside.toRealPath(), id + "-outside");
    }

    /** Makes the folders of a sandbox that commands share, beside the workspace. */
    SharedSandbox shared(String callId) throws IOException {
        Path folder = folder(workspace.getParent(), workspace.getFileName() + SHARED);
        return new SharedSandbox(
                callId,
                folder(folder, "home").toString(),
                folder(folder, "tmp").toString(),
                Optional.empty());
    }

    /** Removes what a gateway that was killed during a test left behind. */
    private static void sweep(Path parent, String beginning) throws IOException {
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, beginning + "*")) {
            for (Path folder : left) {
                FileTree.remove(folder);
            }
        }
    }

    private static Path folder(Path parent, String name) throws IOException {
        Files.createDirectories(parent, PRIVATE);
        return Files.createDirectory(parent.resolve(name), PRIVATE);
    }

    private static Optional<ServerSocketChannel> socket(Path path) throws IOException {
        if (path.toString().length() > MAX_SOCKET_PATH) {
            return Optional.empty();
        }
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(path));
        channel.configureBlocking(false);
        return Optional.of(channel);
    }

    Path workspace() {
        return workspace;
    }

    Path outside() {
        return outside;
    }

    /** Returns the content of the file outside of the workspace. */
    String secret() {
        return secret;
    }

    /** Returns a port of this host that no command may reach. */
    int forbiddenPort() {
        return ((InetSocketAddress) port.getLocalSocketAddress()).getPort();
    }

    /** Returns a port of this host that only commands in strict egress may not reach. */
    int otherPort() {
        return ((InetSocketAddress) otherPort.getLocalSocketAddress()).getPort();
    }

    /** Returns whether there is a Unix socket outside. */
    boolean hasSocket() {
        return socket.isPresent();
    }

    /** Returns whether the forbidden port accepted a connection. */
    boolean forbiddenPortReached() {
        return reached(port);
    }

    /** Returns whether the other port accepted a connection. */
    boolean otherPortReached() {
        return reached(otherPort);
    }

    private static boolean reached(ServerSocket listener) {
        try {
            listener.accept().close();
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the Unix socket accepted a connection. */
    boolean socketReached() {
        try {
            var peer = socket.orElseThrow().accept();
            if (peer != null) {
                peer.close();
            }
            return peer != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
        otherPort.close();
        if (socket.isPresent()) {
            socket.get().close();
        }
        FileTree.remove(workspace);
        Path shared = workspace.resolveSibling(workspace.getFileName() + SHARED);
        if (Files.exists(shared)) {
            FileTree.remove(shared);
        }
        FileTree.remove(outside);
    }
}
