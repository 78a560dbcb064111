package palyra.shell.internal.socket;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Makes the socket where only the gateway's user can reach it. */
final class SocketFile {
    /** Longest path of a socket that every supported system takes, in bytes. */
    private static final int MAX_PATH_BYTES = 103;

    private static final int BACKLOG = 64;

    private SocketFile() {}

    /**
     * Listens at {@code path}, in a folder 0700, as a socket 0600. A file left by a process that is
     * gone is replaced; one that answers is left alone.
     *
     * @throws PalyraException CONFLICT when a process listens there, INVALID_ARGUMENT when the path
     *     is too long
     */
    static ServerSocketChannel listen(Path path) throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_PATH_BYTES) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The command socket "
                            + path
                            + " has a path of "
                            + length
                            + " bytes; a socket's path has at most "
                            + MAX_PATH_BYTES
                            + ": use a shorter state folder (PALYRA_STATE).");
        }
        prepareFolder(path.getParent());
        removeStale(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            bindAside(server, path);
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** The file takes its name when it has its mode: a watcher of modes sees it with no other. */
    private static void bindAside(ServerSocketChannel server, Path path) throws IOException {
        Path aside = path.resolveSibling(".new");
        Path unnamed = aside.resolve("s");
        Files.createDirectories(aside);
        Files.deleteIfExists(unnamed);
        server.bind(UnixDomainSocketAddress.of(unnamed), BACKLOG);
        Files.setPosixFilePermissions(unnamed, PosixFilePermissions.fromString("rw-------"));
        Files.move(unnamed, path, StandardCopyOption.ATOMIC_MOVE);
        Files.delete(aside);
    }

    private static void prepareFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        // Before the socket exists: between its making and its own 0600 the folder guards it.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }

    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        if (answers(path)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Another gateway listens on "
                            + path
                            + "; stop it or use another state folder.");
        }
        Files.deleteIfExists(path);
    }

    private static boolean answers(Path path) {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            return false;
        }
    }
}
