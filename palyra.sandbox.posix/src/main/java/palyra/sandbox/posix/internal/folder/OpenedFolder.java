package palyra.sandbox.posix.internal.folder;

import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.sandbox.HeldFolder;

/**
 * A folder by its descriptor. A lock prevents calls on a closed descriptor, whose number may be
 * reused for another folder. Thread-safe.
 */
final class OpenedFolder implements HeldFolder {
    private static final int CLOSED = -1;
    private static final int EBADF = 9;

    private final FolderFunctions functions;
    private final Path path;
    private final ReentrantLock lock = new ReentrantLock();
    private int descriptor; // guarded by lock

    private OpenedFolder(FolderFunctions functions, Path path, int descriptor) {
        this.functions = functions;
        this.path = path;
        this.descriptor = descriptor;
    }

    /** Opens the root. */
    static OpenedFolder root(FolderFunctions functions) throws FileSystemException {
        Path root = Path.of("/");
        int opened = functions.open(CLOSED, "/");
        if (opened < 0) {
            throw FolderErrors.of(-opened, functions.linux(), root);
        }
        return new OpenedFolder(functions, root, opened);
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public Optional<Path> current() {
        lock.lock();
        try {
            return functions.linux() && descriptor != CLOSED
                    ? Optional.of(Path.of("/proc/self/fd/" + descriptor))
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public OpenedFolder open(String name) throws FileSystemException {
        Path shown = ".".equals(name) ? path : child(name);
        return new OpenedFolder(functions, shown, call(shown, at -> functions.open(at, name)));
    }

    @Override
    public void make(String name, Set<PosixFilePermission> permissions) throws FileSystemException {
        int mode = permissions.stream().mapToInt(OpenedFolder::bit).sum();
        call(child(name), at -> functions.make(at, name, mode));
    }

    /** Permissions are declared from the owner's reading down, as the bits of a mode are. */
    private static int bit(PosixFilePermission permission) {
        return 0400 >> permission.ordinal();
    }

    @Override
    public void removeFolder(String name) throws FileSystemException {
        call(child(name), at -> functions.remove(at, name, true));
    }

    @Override
    public void removeFile(String name) throws FileSystemException {
        call(child(name), at -> functions.remove(at, name, false));
    }

    /** The kernel would continue at a slash and follow links there. */
    private Path child(String name) {
        Require.that(
                name != null
                        && !name.isEmpty()
                        && !name.equals(".")
                        && !name.equals("..")
                        && name.indexOf('/') < 0,
                "'" + name + "' is not a single folder name: leave out slashes, . and ..");
        try {
            return path.resolve(name);
        } catch (InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A name of a folder cannot be written in this locale: " + e.getMessage() + ".",
                    e);
        }
    }

    private int call(Path shown, IntUnaryOperator call) throws FileSystemException {
        lock.lock();
        try {
            int result = descriptor == CLOSED ? -EBADF : call.applyAsInt(descriptor);
            if (result < 0) {
                throw FolderErrors.of(-result, functions.linux(), shown);
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (descriptor != CLOSED) {
                functions.close(descriptor);
                descriptor = CLOSED;
            }
        } finally {
            lock.unlock();
        }
    }
}
