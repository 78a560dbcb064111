package palyra.sandbox.tierb.internal;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.confine.Refusals;

/**
 * The folder for a call's temporary files, inside its workspace. It is made afresh, so nobody can
 * have prepared it, and removed in the end.
 */
final class ScratchFolder {
    private static final String PREFIX = ".palyra-tmp-";

    private static final FileAttribute<?> FOR_ITS_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path path;

    private ScratchFolder(Path path) {
        this.path = path;
    }

    /** Makes the folder, for its owner only. */
    static ScratchFolder make(String workspace, String callId) {
        Path path = Path.of(workspace, PREFIX + callId);
        try {
            Files.createDirectory(path, FOR_ITS_OWNER);
            return new ScratchFolder(path);
        } catch (FileAlreadyExistsException e) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The folder "
                            + path
                            + " for temporary files of the call is there already: remove it, or use"
                            + " another call id.",
                    e);
        } catch (IOException e) {
            throw Refusals.unavailable(
                    "The folder " + path + " cannot be made: " + e.getMessage() + ".",
                    "Make room, and let the gateway's user write the workspace.");
        }
    }

    /** Returns where it is. */
    String text() {
        return path.toString();
    }

    /** Removes it if it is empty; returns whether it is gone. Never follows a link. */
    boolean removeEmpty() {
        try {
            Files.delete(path);
            return true;
        } catch (IOException e) {
            return !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        }
    }
}
