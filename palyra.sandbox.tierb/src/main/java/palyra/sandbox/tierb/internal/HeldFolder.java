package palyra.sandbox.tierb.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.Refusals;

/**
 * A folder that is held open: what is made and removed in it is so in this very folder, wherever
 * its path leads meanwhile. It was opened name by name and no name was a symbolic link. Thread-safe
 * until it is closed.
 */
final class HeldFolder implements AutoCloseable {
    private final FolderCalls calls;
    private final String text;
    private final int descriptor;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HeldFolder(FolderCalls calls, String text, int descriptor) {
        this.calls = calls;
        this.text = text;
        this.descriptor = descriptor;
    }

    /**
     * Opens a folder by its real path.
     *
     * @param wanted which folder it has to be
     * @throws PalyraException DENIED when a link or another folder is there now, NOT_FOUND,
     *     RESOURCE_EXHAUSTED or TOOL_UNAVAILABLE when it cannot be opened
     */
    static HeldFolder open(FolderCalls calls, FolderIdentity wanted) {
        String text = wanted.path().toString();
        int at = calls.open(-1, "/");
        for (Path name : wanted.path()) {
            if (at >= 0) {
                int above = at;
                at = calls.open(above, name.toString());
                calls.close(above);
            }
        }
        if (at < 0) {
            throw refusal(calls, -at, text);
        }
        HeldFolder folder = new HeldFolder(calls, text, at);
        if (!folder.is(wanted)) {
            folder.close();
            throw exchanged(text);
        }
        return folder;
    }

    /** On other systems the caller's look at the path, before and after, has to do. */
    private boolean is(FolderIdentity wanted) {
        if (!calls.namesDescriptors()) {
            return true;
        }
        try {
            return wanted.key()
                    .equals(Files.readAttributes(path(), BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return false;
        }
    }

    private static PalyraException exchanged(String text) {
        return Refusals.denied(
                "The folder "
                        + text
                        + " is not what it was a moment ago, or a part of its path is a link now;"
                        + " nothing was started in it.");
    }

    private static PalyraException refusal(FolderCalls calls, int errno, String text) {
        if (calls.saysNoFolder(errno)) {
            return exchanged(text);
        }
        if (errno == FolderCalls.ENOENT) {
            return new PalyraException(
                    ErrorCode.NOT_FOUND, "The folder " + text + " does not exist.");
        }
        if (errno == FolderCalls.EMFILE || errno == FolderCalls.ENFILE) {
            return new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The folder " + text + " cannot be opened: too many files are open.");
        }
        return Refusals.unavailable(
                "The folder " + text + " cannot be opened (error " + errno + ").",
                "Let the gateway's user search every folder of its path.");
    }

    /**
     * Returns the path by which the system names this very folder; meaningful only where {@link
     * FolderCalls#namesDescriptors}.
     */
    Path path() {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /** Returns the path by which it was opened. */
    String text() {
        return text;
    }

    /** Makes a folder in it, for its owner only; returns 0 or the negated error number. */
    int make(String name) {
        return calls.make(descriptor, name);
    }

    /** Removes an empty folder, or a link in its place; returns whether nothing is there now. */
    boolean removeEmpty(String name) {
        int result = calls.removeFolder(descriptor, name);
        if (result < 0 && calls.saysNoFolder(-result)) {
            result = calls.removeFile(descriptor, name);
        }
        return result >= 0 || result == -FolderCalls.ENOENT;
    }

    /** Removes a folder with all that is in it; returns whether nothing is there now. */
    boolean removeTree(String name, long millis) {
        return calls.namesDescriptors()
                && FolderTree.remove(path(), name, millis)
                && removeEmpty(name);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            calls.close(descriptor);
        }
    }
}
