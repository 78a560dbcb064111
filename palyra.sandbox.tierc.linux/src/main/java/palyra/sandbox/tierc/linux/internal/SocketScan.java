package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Predicate;
import palyra.shared.confine.Refusals;

/**
 * Searches for Unix sockets in folders that a command sees, because it could connect to them.
 * Searches a bounded number of files: a folder with more is refused.
 */
final class SocketScan extends SimpleFileVisitor<Path> {
    private static final int MOST_FILES = 100_000;
    private static final int TYPE_MASK = 0170000;
    private static final int SOCKET = 0140000;

    private final int mostFiles;
    private final Predicate<Path> own;
    private int files;

    private SocketScan(int mostFiles, Predicate<Path> own) {
        this.mostFiles = mostFiles;
        this.own = own;
    }

    /**
     * Refuses folders with a socket somewhere in them.
     *
     * @param own whether a socket is one of the sandbox itself
     */
    static void check(List<String> folders, Predicate<Path> own) {
        check(folders, MOST_FILES, own);
    }

    static void check(List<String> folders, int mostFiles, Predicate<Path> own) {
        SocketScan scan = new SocketScan(mostFiles, own);
        for (String folder : folders) {
            try {
                Files.walkFileTree(Path.of(folder), scan);
            } catch (IOException e) {
                throw Refusals.unavailable(
                        "The folder " + folder + " cannot be searched for sockets: " + e + ".", "");
            }
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        count(folder);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        count(file);
        if (attributes.isOther()) {
            Object mode = Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            boolean socket = mode instanceof Integer bits && (bits & TYPE_MASK) == SOCKET;
            if (socket && !own.test(file) && isHeard(file)) {
                throw Refusals.denied(
                        "A Unix socket is at "
                                + file
                                + ", and a command with an allow-list could connect to it: remove it, or"
                                + " use strict egress without hosts and without session.");
            }
        }
        return FileVisitResult.CONTINUE;
    }

    /** Returns whether a process may hear at a socket; none does at one that a program left. */
    private static boolean isHeard(Path file) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(file));
            return true;
        } catch (ConnectException e) {
            return false; // refused
        } catch (IOException e) {
            return true; // of another type, or busy
        }
    }

    /**
     * A file that was removed meanwhile is ignored; a folder that cannot be read could contain a
     * socket.
     */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException problem) {
        count(file);
        if (!(problem instanceof NoSuchFileException)) {
            throw Refusals.denied(
                    file
                            + " cannot be searched for sockets: make it readable, or use strict"
                            + " egress without hosts.");
        }
        return FileVisitResult.CONTINUE;
    }

    private void count(Path file) {
        if (++files > mostFiles) {
            throw Refusals.denied(
                    "More than "
                            + mostFiles
                            + " files would have to be searched for sockets, up to "
                            + file
                            + ": use a smaller workspace, or strict egress without hosts.");
        }
    }
}
