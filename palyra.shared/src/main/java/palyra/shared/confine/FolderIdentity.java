package palyra.shared.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import palyra.api.core.sandbox.SandboxProcess;

/**
 * Identity of the folder behind a path. A launch takes paths, so a folder could be replaced between
 * the check and the start; compare before and after, and end what was started when they differ.
 *
 * @param path where it was
 * @param key device and inode
 */
public record FolderIdentity(Path path, Object key) {
    /** Looks at a folder that must be there, by its real path. */
    public static FolderIdentity of(String text) {
        Path path = Path.of(text);
        try {
            return new FolderIdentity(path, key(path));
        } catch (IOException e) {
            throw Refusals.unavailable("The folder " + text + " cannot be looked at.", "");
        }
    }

    /** Ends a process and refuses when the path leads elsewhere now. */
    public void confirm(SandboxProcess process) {
        if (!unchanged()) {
            process.close();
            throw Refusals.denied(
                    "The folder "
                            + path
                            + " was exchanged while a command was started in it; the command was"
                            + " ended.");
        }
    }

    private boolean unchanged() {
        try {
            return path.toRealPath().equals(path) && Objects.equals(key, key(path));
        } catch (IOException e) {
            return false;
        }
    }

    private static Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }
}
