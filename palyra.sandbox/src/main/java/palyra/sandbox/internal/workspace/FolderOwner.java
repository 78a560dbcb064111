package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import palyra.shared.files.FileOwner;

/** Whether only the gateway's own user can have put a folder where it is. */
final class FolderOwner {
    private static final long ROOT = 0;
    private static final int OWNER_ALL = 0700;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;

    private FolderOwner() {}

    /**
     * Returns why a folder is unsafe: another user owns it, is allowed to write to it, or could
     * replace it.
     */
    static Optional<String> objection(Path real) throws IOException {
        if (!real.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return Optional.empty(); // no numeric owners, as on Windows; the backend decides there
        }
        long self = self();
        long owner = number(real, "uid");
        if (owner != self) {
            return Optional.of(
                    "it belongs to user id "
                            + owner
                            + " and not to the gateway's user ("
                            + self
                            + ")");
        }
        if ((number(real, "mode") & OTHERS_WRITE) != 0) {
            return Optional.of("every user of this machine may write to it");
        }
        for (Path at = real.getParent(); at != null; at = at.getParent()) {
            if (exchangeable(at, self)) {
                return Optional.of(
                        "users other than its owner could exchange the entries of " + at);
            }
        }
        return Optional.empty();
    }

    /**
     * Lets the gateway's user into a folder of its own again, and other users not write to it: a
     * command may have changed its mode, and would lock its agent out for good.
     */
    static void reopen(Path real) throws IOException {
        if (!real.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return;
        }
        int mode = (int) number(real, "mode") & 07777;
        int open = (mode | OWNER_ALL) & ~OTHERS_WRITE;
        if (open != mode && number(real, "uid") == self()) {
            // Not without following links: that would open the folder, which is closed.
            Files.setAttribute(real, "unix:mode", open);
        }
    }

    private static boolean exchangeable(Path parent, long self) throws IOException {
        long owner = number(parent, "uid");
        long mode = number(parent, "mode");
        boolean foreign = owner != self && owner != ROOT;
        return foreign || ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0);
    }

    private static long self() throws IOException {
        if (Files.exists(Path.of("/proc/self/status"))) {
            return FileOwner.ofThisProcess().uid();
        }
        return number(Path.of(System.getProperty("user.home")), "uid"); // macOS has no /proc
    }

    private static long number(Path path, String attribute) throws IOException {
        Object value = Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
        return ((Number) value).longValue();
    }
}
