package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import palyra.shared.confine.FolderIdentity;

/**
 * Removes empty files and folders from a workspace. All is asked of open folders, see openat(2):
 * the workspace must still be the one that it was, and links in it are not followed. Thread-safe.
 *
 * @param workspace which folder it was
 */
record Leftovers(FolderIdentity workspace) {
    /** Removes a file or folder that is empty; anything else stays. */
    void remove(Path path) {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(workspace.path())) {
            if (stream instanceof SecureDirectoryStream<Path> folder
                    && Objects.equals(key(folder), workspace.key())) {
                removeBelow(folder, workspace.path().relativize(path));
            }
        } catch (IOException e) {
            // it is gone, or somebody put something there: it stays
        }
    }

    private static Object key(SecureDirectoryStream<Path> folder) throws IOException {
        return folder.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
    }

    private static void removeBelow(SecureDirectoryStream<Path> folder, Path path)
            throws IOException {
        Path name = path.getName(0);
        if (path.getNameCount() == 1) {
            removeEmpty(folder, name);
            return;
        }
        try (SecureDirectoryStream<Path> below =
                folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            removeBelow(below, path.subpath(1, path.getNameCount()));
        }
    }

    private static void removeEmpty(SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        BasicFileAttributes found =
                folder.getFileAttributeView(
                                name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
        if (found.isDirectory()) {
            folder.deleteDirectory(name); // only when it is empty
        } else if (found.isRegularFile() && found.size() == 0) {
            folder.deleteFile(name);
        }
    }
}
