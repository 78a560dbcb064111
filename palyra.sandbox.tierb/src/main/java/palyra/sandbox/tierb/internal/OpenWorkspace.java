package palyra.sandbox.tierb.internal;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.HeldFolder;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.Refusals;

/**
 * The workspace of a call, held open: it was opened name by name without symbolic links, and it is
 * the folder that was checked. Thread-safe.
 */
final class OpenWorkspace implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rwx------");

    private static final Logger LOG = LoggerFactory.getLogger(OpenWorkspace.class);

    private final HeldFolder folder;

    private OpenWorkspace(HeldFolder folder) {
        this.folder = folder;
    }

    /**
     * Opens a workspace by its real path.
     *
     * @param wanted which folder it has to be
     * @throws PalyraException DENIED when a link or another folder is there now, NOT_FOUND,
     *     RESOURCE_EXHAUSTED or TOOL_UNAVAILABLE when it cannot be opened
     */
    static OpenWorkspace open(FolderCalls calls, FolderIdentity wanted) {
        HeldFolder folder;
        try {
            folder = calls.open(wanted.path());
        } catch (IOException e) {
            throw refusal(e, wanted.path());
        }
        if (!is(folder, wanted)) {
            folder.close();
            throw exchanged(wanted.path());
        }
        return new OpenWorkspace(folder);
    }

    /** Where an open folder has no path, the caller's checks before and after have to suffice. */
    private static boolean is(HeldFolder folder, FolderIdentity wanted) {
        Optional<Path> current = folder.current();
        try {
            return current.isEmpty()
                    || wanted.key()
                            .equals(
                                    Files.readAttributes(current.get(), BasicFileAttributes.class)
                                            .fileKey());
        } catch (IOException e) {
            return false;
        }
    }

    private static PalyraException exchanged(Path path) {
        return Refusals.denied(
                "The folder "
                        + path
                        + " was replaced after it was checked, or a part of its path is a link now;"
                        + " the command was not started.");
    }

    private static PalyraException refusal(IOException cause, Path path) {
        if (cause instanceof NotDirectoryException) {
            return exchanged(path);
        }
        if (cause instanceof NoSuchFileException) {
            return new PalyraException(
                    ErrorCode.NOT_FOUND, "The folder " + path + " does not exist.");
        }
        String reason = reason(cause);
        if (reason.equals("EMFILE") || reason.equals("ENFILE")) {
            return new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The folder " + path + " cannot be opened: too many files are open.");
        }
        return Refusals.unavailable(
                "The folder " + path + " cannot be opened (" + reason + ").",
                "Let the gateway's user search every folder of its path.");
    }

    private static String reason(IOException cause) {
        return cause instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : String.valueOf(cause.getMessage());
    }

    /** Returns the path by which it was opened. */
    String text() {
        return folder.path().toString();
    }

    /**
     * Makes a folder in it, for its owner only.
     *
     * @throws PalyraException CONFLICT when something is there, TOOL_UNAVAILABLE when the system
     *     refuses
     */
    void make(String name) {
        try {
            folder.make(name, OWNER);
        } catch (FileAlreadyExistsException e) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The folder "
                            + text()
                            + "/"
                            + name
                            + " for temporary files of the call exists already: remove it, or use another"
                            + " call id.",
                    e);
        } catch (IOException e) {
            throw Refusals.unavailable(
                    "The folder " + text() + "/" + name + " cannot be made (" + reason(e) + ").",
                    "Free disk space, and let the gateway's user write the workspace.");
        }
    }

    /**
     * Makes a folder in it one whose content git leaves out of a repository, where the system has a
     * path to an open folder. A full disk is no reason to start nothing, so it may fail.
     */
    void ignoreByGit(String name) {
        try (HeldFolder inner = folder.open(name)) {
            Optional<Path> current = inner.current();
            if (current.isPresent()) {
                Files.writeString(
                        current.get().resolve(".gitignore"), "*\n", StandardOpenOption.CREATE_NEW);
            }
        } catch (IOException e) {
            LOG.warn("{}/{} has no .gitignore, so git may see it", text(), name, e);
        }
    }

    /** Removes an empty folder, or a link in its place; returns whether it is gone. */
    boolean removeEmpty(String name) {
        try {
            folder.removeFolder(name);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (NotDirectoryException e) {
            return removeFile(name);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean removeFile(String name) {
        try {
            folder.removeFile(name);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes a folder with its content; returns whether it is gone. */
    boolean removeTree(String name, long millis) {
        Optional<Path> current = folder.current();
        return current.isPresent()
                && FolderTree.remove(current.get(), name, millis)
                && removeEmpty(name);
    }

    @Override
    public void close() {
        folder.close();
    }
}
